import { Button, Text } from '@mantine/core';
import {
  IconChevronDown,
  IconInbox,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconTrash,
  IconUserCog,
} from '@tabler/icons-react';
import { customerRequestsPath } from '#client/lib/record-paths.ts';
import { toast } from '#client/lib/toast.ts';
import { useRowMenuPosition } from '#client/ui/data-table-row.tsx';
import { Link } from '#client/ui/link.tsx';
import { Menu } from '#client/ui/menu.tsx';
import { useFocusInPlace } from '#client/ui/opener.ts';
import type { User } from '#contract/users.ts';
import { useChangeUser, useSendRecovery } from './api.ts';
import { useOpenUserDialog } from './user-dialogs.tsx';

/** The action that mails the link with which somebody chooses a password. */
export const SEND_RECOVERY = 'Invia il collegamento per una nuova password';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/**
 * Actions of an administrator on an account; the server says whether they are allowed (`manageable`). Must be below
 * `UserDialogs`.
 * @param name how the account is called where its name alone could be another's
 */
export function UserActions({ user, name }: { user: User; name: string }) {
  const change = useChangeUser();
  const recovery = useSendRecovery();
  const inPlace = useFocusInPlace();
  const open = useOpenUserDialog();
  const position = useRowMenuPosition();
  // The foot of a card has room for an ordinary button.
  const inTable = position === 'bottom-end';
  if (!user.manageable) return null;

  const promotes = user.role === 'user';
  /** The server makes nobody an administrator whose address is not proven. */
  const unproven = promotes && !user.emailVerified;
  const sendRecovery = () =>
    inPlace(async () => {
      await recovery.mutateAsync(user.id);
      toast({ title: 'Email inviata', message: `Collegamento inviato a ${user.email}.` });
    });
  const reinstate = () =>
    inPlace(async () => {
      await change.mutateAsync({ id: user.id, suspended: false });
      toast({ title: `Account di ${user.fullName} riattivato` });
    });

  return (
    <Menu position={position} width={260} shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size={inTable ? 'compact-sm' : undefined}
          loading={change.isPending || recovery.isPending}
          rightSection={<IconChevronDown {...icon} size={16} />}
          aria-label={`Azioni per ${name}`}
        >
          Azioni
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => open({ kind: 'edit', user })}>
          Modifica
        </Menu.Item>
        {/* Not `disabled`: also by key one comes to learn why. */}
        <Menu.Item
          leftSection={<IconUserCog {...icon} />}
          c={unproven ? 'dimmed' : undefined}
          aria-disabled={unproven || undefined}
          closeMenuOnClick={!unproven}
          onClick={unproven ? undefined : () => open({ kind: 'role', user })}
        >
          {promotes ? 'Rendi amministratore' : 'Togli il ruolo di amministratore'}
          {unproven && (
            <Text component="span" display="block" size="xs">
              Prima deve confermare il suo indirizzo email
            </Text>
          )}
        </Menu.Item>
        <Menu.Item component={Link} to={customerRequestsPath(user.id)} leftSection={<IconInbox {...icon} />}>
          Richieste di trasferta
        </Menu.Item>
        {!user.suspended && (
          <Menu.Item leftSection={<IconKey {...icon} />} onClick={sendRecovery}>
            {SEND_RECOVERY}
          </Menu.Item>
        )}
        {user.suspended ? (
          <Menu.Item leftSection={<IconLockOpen {...icon} />} onClick={reinstate}>
            Riattiva
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLock {...icon} />} onClick={() => open({ kind: 'suspend', user })}>
            Sospendi
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash {...icon} />}
          onClick={() => open({ kind: 'delete', user })}
        >
          Elimina
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
