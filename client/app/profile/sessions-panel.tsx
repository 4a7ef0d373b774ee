import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useInfiniteQuery, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useLeave } from '#client/lib/leaving.ts';
import { flatten } from '#client/lib/list-pages.ts';
import { toast } from '#client/lib/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { Panel } from '#client/ui/panel.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { formatDateTime } from '#contract/dates.ts';
import type { Session } from '#contract/sessions.ts';
import {
  IN_SIGHT,
  identitiesQuery,
  sessionsQuery,
  useEndAllSessions,
  useEndOtherSessions,
  useEndSession,
} from './api.ts';
import styles from './page.module.css';

const lastUseOf = ({ lastUsedAt }: Session) => `Ultimo utilizzo ${formatDateTime(lastUsedAt)}`;

/** What tells the session from the others; those of one browser used in the same minute are numbered. */
function nameOf(session: Session, sessions: readonly Session[]): string {
  const words = (one: Session) => `${one.device}. ${lastUseOf(one)}`;
  const alike = sessions.filter((other) => !other.current && words(other) === words(session));
  const number = alike.length > 1 ? `, ${alike.indexOf(session) + 1} di ${alike.length}` : '';
  return words(session) + number;
}

function Device({ session, name }: { session: Session; name: string }) {
  const end = useEndSession();
  const inPlace = useFocusInPlace();
  const IconOf = /iPhone|iPad|Android/.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={styles.device} data-entry>
      <div className={styles.deviceWords}>
        <IconOf size={26} stroke={1.5} aria-hidden="true" />
        <div>
          <Text fw={600} data-name>
            {session.device}
          </Text>
          <p className={`${styles.soft} ${styles.use}`}>
            <span>{session.current ? 'In uso adesso' : lastUseOf(session)}</span>
            {session.ipAddress && <span>{session.ipAddress}</span>}
          </p>
        </div>
      </div>
      {session.current ? (
        <Badge tone="green">Questo dispositivo</Badge>
      ) : (
        <Button
          variant="default"
          loading={end.isPending}
          aria-label={`Disconnetti ${name}`}
          onClick={() =>
            inPlace(async () => {
              await end.mutateAsync(session.id);
              toast({ title: 'Dispositivo disconnesso' });
            })
          }
        >
          Disconnetti
        </Button>
      )}
    </li>
  );
}

/** The shape of a few sessions while they load. */
function DevicesSkeleton() {
  return (
    <Waiting>
      <div className={styles.devices}>
        {[52, 60, 44].map((width) => (
          <div key={width} className={styles.device}>
            <div className={styles.deviceWords}>
              <Skeleton width={26} height={26} className={styles.deviceIcon} />
              <div className={styles.deviceShape}>
                <Skeleton height={14} width={`${width}%`} />
                <Skeleton height={12} width={`${width + 20}%`} margin="var(--space-2) 0 0" />
              </div>
            </div>
            <Skeleton height={36} width={120} />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

const IDENTITIES: Readonly<Record<string, string>> = { credential: 'email (o username) e password' };

/** The account's identities; with a single identity provider it is the password alone. */
function Identities() {
  const { data } = useQuery(identitiesQuery);
  // An account without a password is told so where one is chosen.
  if (!data?.length) return null;
  const names = data.map(({ provider }) => IDENTITIES[provider] ?? provider);
  return <p className={styles.soft}>Metodi di accesso collegati: {names.join(', ')}.</p>;
}

/** A separate component, so that its confirmation dialog does not render the sessions again. */
function EndAll() {
  const all = useEndAllSessions();
  const leave = useLeave();
  const [asking, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        Disconnetti tutti
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Disconnetti tutti i dispositivi"
        confirmLabel="Disconnetti tutti"
        onClose={close}
        onConfirm={() => leave(() => all.mutateAsync())}
      >
        Uscirai anche da questo dispositivo e dovrai accedere di nuovo.
      </ConfirmDialog>
    </>
  );
}

/** The account's sessions with their devices, and buttons to end them. */
export function SessionsPanel() {
  const query = useInfiniteQuery(sessionsQuery);
  // Shown below the sessions, but fetched together with them.
  usePrefetchQuery(identitiesQuery);
  const inPlace = useFocusInPlace();
  const others = useEndOtherSessions();

  return (
    <Panel title="Dispositivi collegati">
      <Stack>
        <Loaded query={query} skeleton={<DevicesSkeleton />}>
          {(data) => {
            const { items: sessions, total } = flatten(data);
            return (
              <>
                <Group gap="sm">
                  {total > 1 && (
                    <Button
                      variant="default"
                      loading={others.isPending}
                      onClick={() =>
                        inPlace(async () => {
                          await others.mutateAsync();
                          toast({ title: 'Altri dispositivi disconnessi' });
                        })
                      }
                    >
                      Disconnetti gli altri
                    </Button>
                  )}
                  <EndAll />
                </Group>
                <div>
                  <ul className={styles.devices}>
                    {sessions.map((session) => (
                      <Device key={session.id} session={session} name={nameOf(session, sessions)} />
                    ))}
                  </ul>
                  {total > IN_SIGHT && <LoadMore shown={sessions.length} total={total} pages={query} />}
                </div>
                <Identities />
              </>
            );
          }}
        </Loaded>
      </Stack>
    </Panel>
  );
}
