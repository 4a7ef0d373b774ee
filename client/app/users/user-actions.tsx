import { Button } from '@mantine/core';
import {
  IconChevronDown,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconTrash,
  IconUserCog,
} from '@tabler/icons-react';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { useRowMenuPosition } from '#client/ui/data-table.tsx';
import { Menu } from '#client/ui/menu.tsx';
import { toast, toastFailure } from '#client/ui/toast.ts';
import type { User } from '#contract/users.ts';
import { useChangeUser, useDeleteUser, useSendRecovery } from './api.ts';
import { EditUserDialog } from './edit-user-dialog.tsx';

type Dialog = 'edit' | 'role' | 'suspend' | 'delete';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** What an administrator may do to an account; the server says whether at all (`manageable`). */
export function UserActions({ user }: { user: User }) {
  const change = useChangeUser();
  const remove = useDeleteUser();
  const recovery = useSendRecovery();
  const [dialog, setDialog] = useKeptState<Dialog | null>(`user ${user.id}`, null);
  const position = useRowMenuPosition();
  // The foot of a card has room for a button like any other.
  const inTable = position === 'bottom-end';
  if (!user.manageable) return null;

  const promotes = user.role === 'user';
  const sendRecovery = () =>
    recovery
      .mutateAsync(user.id)
      .then(
        () => toast({ title: 'Email inviata', message: `Collegamento inviato a ${user.email}.` }),
        toastFailure,
      );
  const reinstate = () =>
    change
      .mutateAsync({ id: user.id, suspended: false })
      .then(() => toast({ title: `Account di ${user.fullName} riattivato` }), toastFailure);
  const close = () => setDialog(null);

  return (
    <>
      <Menu position={position} width={260} shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size={inTable ? 'compact-sm' : undefined}
            rightSection={<IconChevronDown {...icon} size={16} />}
            aria-label={`Azioni per ${user.fullName}`}
          >
            Azioni
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setDialog('edit')}>
            Modifica
          </Menu.Item>
          <Menu.Item leftSection={<IconUserCog {...icon} />} onClick={() => setDialog('role')}>
            {promotes ? 'Rendi amministratore' : 'Togli il ruolo di amministratore'}
          </Menu.Item>
          {!user.suspended && (
            <Menu.Item leftSection={<IconKey {...icon} />} onClick={sendRecovery}>
              Invia il collegamento per una nuova password
            </Menu.Item>
          )}
          {user.suspended ? (
            <Menu.Item leftSection={<IconLockOpen {...icon} />} onClick={reinstate}>
              Riattiva
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock {...icon} />} onClick={() => setDialog('suspend')}>
              Sospendi
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => setDialog('delete')}>
            Elimina
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditUserDialog user={user} onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'role'}
        title={promotes ? 'Rendi amministratore' : 'Togli il ruolo di amministratore'}
        confirmLabel={promotes ? 'Rendi amministratore' : 'Togli il ruolo'}
        destructive={!promotes}
        onClose={close}
        onConfirm={async () => {
          await change.mutateAsync({ id: user.id, role: promotes ? 'admin' : 'user' });
          toast({ title: `Ruolo di ${user.fullName} aggiornato` });
        }}
      >
        {promotes ? (
          <>
            <strong>{user.fullName}</strong> potrà gestire gli utenti e le richieste di tutti i clienti.
          </>
        ) : (
          <>
            <strong>{user.fullName}</strong> non potrà più gestire né gli utenti né le richieste dei clienti.
          </>
        )}{' '}
        Dovrà accedere di nuovo.
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'suspend'}
        title="Sospendi account"
        confirmLabel="Sospendi"
        onClose={close}
        onConfirm={async () => {
          await change.mutateAsync({ id: user.id, suspended: true });
          toast({ title: `Account di ${user.fullName} sospeso` });
        }}
      >
        L’account di <strong>{user.fullName}</strong> viene disconnesso da tutti i dispositivi e non potrà
        accedere finché non lo riattivi.
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog === 'delete'}
        title="Elimina account"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={close}
        onConfirm={async () => {
          await remove.mutateAsync(user.id);
          toast({ title: `Account di ${user.fullName} eliminato` });
        }}
      >
        L’account di <strong>{user.fullName}</strong> ({user.email}) viene eliminato e i suoi dati personali
        cancellati. Le fatture restano. Non si può annullare.
      </ConfirmDialog>
    </>
  );
}
