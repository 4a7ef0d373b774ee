import { Button, MantineProvider, Stack, Text, Title } from '@mantine/core';
import { DatesProvider } from '@mantine/dates';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { queryClient } from '#client/lib/query-client.ts';
import { rememberReturnTo, useSession } from '#client/lib/session.ts';
import { FullScreenLoader } from '#client/ui/full-screen-loader.tsx';
import { cssVariablesResolver, theme } from '#client/ui/theme/mantine.ts';
import { redirectFor } from './access.ts';
import './locale.ts';
import './mantine.css';

/** Sends a visitor to `/` and keeps where they wanted to go. */
function ToLogin() {
  const { pathname, search } = useLocation();
  useEffect(() => rememberReturnTo(pathname + search), [pathname, search]);
  return <Navigate to="/" replace />;
}

/** The access rules of spec §2, before anything of the application renders. */
function Guard() {
  const { pathname } = useLocation();
  const { data: me, isPending, isError, refetch } = useSession();
  if (isPending) return <FullScreenLoader />;
  if (isError && !me) {
    return (
      <Stack component="main" align="center" justify="center" mih="100dvh" p="xl" ta="center">
        <Title order={1}>Trasvia non risponde</Title>
        <Text>Non riusciamo a raggiungere il servizio. Controlla la connessione e riprova.</Text>
        <Button onClick={() => refetch()}>Riprova</Button>
      </Stack>
    );
  }
  if (!me) return <ToLogin />;
  const redirect = redirectFor(me, pathname);
  return redirect ? <Navigate to={redirect} replace /> : <Outlet />;
}

/** The frame of `/app`: Mantine on the product's tokens, following the system's colour scheme, and the query cache. */
export default function AppLayout() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <DatesProvider settings={{ locale: 'it', firstDayOfWeek: 1 }}>
        <Notifications position="top-right" />
        <QueryClientProvider client={queryClient}>
          <Guard />
        </QueryClientProvider>
      </DatesProvider>
    </MantineProvider>
  );
}
