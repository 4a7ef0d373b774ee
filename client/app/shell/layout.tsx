// Imported first, so that the application's own styles follow Mantine's.
import './mantine.css';
import './touch.css';
import './print.css';

import { Button, MantineProvider, Stack, Text, Title } from '@mantine/core';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { memo, useEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation, useMatch } from 'react-router';
import { forgetReads } from '#client/lib/account-reads.ts';
import { allowReads } from '#client/lib/api.ts';
import { useKeptSession } from '#client/lib/kept-session.ts';
import { takeLeft } from '#client/lib/leaving.ts';
import { freshToday } from '#client/lib/new-day.ts';
import { queryClient } from '#client/lib/query-client.ts';
import {
  clearEndedSession,
  dropCopy,
  endedSessionText,
  isLeaving,
  MeContext,
  markLeaving,
  rememberReturnTo,
  useSession,
} from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { LeaveGuard } from '#client/ui/leave-guard.tsx';
import { Logo } from '#client/ui/logo.tsx';
import { RouteError } from '#client/ui/route-error.tsx';
import { cssVariablesResolver, theme } from '#client/ui/theme/mantine.ts';
import { provider } from '#provider';
import { ADMIN_AREA, redirectFor } from './access.ts';
import { endFirstView, FirstView } from './first-view.tsx';
import { FocusAfterToast } from './focus-after-toast.ts';
import { Frame } from './frame.tsx';
import { forgetGoing, useReloadForNewVersion, useResumedNavigation } from './new-version.ts';
import { useOfflineReading } from './offline.ts';
import { stopAsking } from './search.tsx';
import './translated.ts';

// Here, because the login shares the cache and reads nothing that depends on the day.
queryClient.setQueryDefaults([], { staleTime: freshToday });

/** Sends a visitor to `/` and stores the page they wanted (spec §2), unless they have just logged out of it. */
function ToPublicHome() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (isLeaving()) return;
    const left = takeLeft();
    if (left === null) rememberReturnTo(pathname + search);
    else toast({ title: left });
  }, [pathname, search]);
  return <Navigate to="/" replace />;
}

/**
 * Sends a user whose session has ended to the login, and back afterwards.
 * @param owner the id of the account
 */
function ToLogin({ owner }: { owner: string }) {
  const { pathname, search } = useLocation();
  const client = useQueryClient();
  useEffect(() => {
    rememberReturnTo(pathname + search, owner);
    toast({
      title: endedSessionText() ?? 'Sessione scaduta',
      message: 'Accedi di nuovo per continuare da dove eri.',
      kind: 'error',
    });
    forgetReads(client);
  }, [pathname, search, owner, client]);
  return <Navigate to="/login" replace />;
}

/** Enforces the access rules of spec §2 before anything of the application is rendered. */
function Guard() {
  // As the router finds the page: in any case, and decoded.
  const inAdminArea = useMatch(ADMIN_AREA) !== null;
  useKeptSession();
  const { data: me, isPending, isError, refetch } = useSession();
  const last = useRef<string>(undefined);
  if (me) last.current = me.id;
  useEffect(() => {
    markLeaving(false);
    // The pages of the account that was left have been unmounted with this component.
    return allowReads;
  }, []);
  const id = me?.id;
  // Only after a sign-in: an account read again may be one whose session has just ended.
  useEffect(() => {
    if (id !== undefined) clearEndedSession();
  }, [id]);
  useEffect(() => {
    if (me === null) dropCopy();
  }, [me]);
  useEffect(() => {
    if (isPending) return;
    endFirstView();
    stopAsking();
  }, [isPending]);
  useOfflineReading(id);
  if (isPending) return <FirstView />;
  // A visitor may be known although the read failed, if another tab logged out meanwhile.
  if (isError && me === undefined) {
    return (
      <Stack component="main" align="center" justify="center" mih="100dvh" p="xl" ta="center">
        <title>{`${provider.name} non risponde`}</title>
        <Logo />
        <Title order={1}>{provider.name} non risponde</Title>
        <Text style={{ textWrap: 'balance' }}>
          Non riusciamo a raggiungere il servizio. Controlla la connessione e riprova.
        </Text>
        {/* During the retry the first view is shown here. */}
        <Button onClick={() => refetch()}>Riprova</Button>
      </Stack>
    );
  }
  if (!me) return last.current && !isLeaving() ? <ToLogin owner={last.current} /> : <ToPublicHome />;
  const redirect = redirectFor(me, inAdminArea);
  if (redirect) return <Navigate to={redirect} replace />;
  return (
    <MeContext value={me}>
      {/* The key unmounts another account's pages together with their input. */}
      <LeaveGuard key={me.id} onStay={forgetGoing}>
        <Frame me={me}>
          <Outlet />
        </Frame>
      </LeaveGuard>
    </MeContext>
  );
}

/** Shown when the application's frame itself fails. */
export function ErrorBoundary() {
  return (
    <main>
      <RouteError home={<Link to="/">Torna alla pagina iniziale</Link>} />
    </main>
  );
}

/** Memoized, because Mantine would write all its CSS variables again on each change of page. */
const Provided = memo(function Provided() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Guard />
      </QueryClientProvider>
      <FocusAfterToast />
    </MantineProvider>
  );
});

/** The root of `/app`: Mantine with the product's tokens and the system's colour scheme, and the query cache. */
export default function AppLayout() {
  useResumedNavigation();
  useReloadForNewVersion();
  return <Provided />;
}
