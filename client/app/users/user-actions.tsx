import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconKey, IconLock, IconLockOpen, IconTrash, IconUserCog } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { toast } from '#client/ui/toast.ts';
import type { User } from '#contract/users.ts';
import { useChangeUser, useDeleteUser, useSendRecovery } from './api.ts';

type Question = 'role' | 'suspend' | 'delete';

/** What an administrator may do to an account; the server says whether at all (`manageable`). */
export function UserActions({ user }: { user: User }) {
  const change = useChangeUser();
  const remove = useDeleteUser();
  const recovery = useSendRecovery();
  const [question, setQuestion] = useState<Question | null>(null);
  if (!user.manageable) return null;

  const promotes = user.role === 'user';
  const sendRecovery = () =>
    recovery.mutate(user.id, {
      onSuccess: () => toast({ title: 'Email inviata', message: `Collegamento inviato a ${user.email}.` }),
      onError: (error) => toast({ title: error.message, kind: 'error' }),
    });
  const reinstate = () =>
    change.mutate(
      { id: user.id, suspended: false },
      {
        onSuccess: () => toast({ title: `Account di ${user.fullName} riattivato` }),
        onError: (error) => toast({ title: error.message, kind: 'error' }),
      },
    );
  const close = () => setQuestion(null);

  return (
    <>
      <Menu position="bottom-end" width={260} shadow="md">
        <Menu.Target>
          <ActionIcon aria-label={`Azioni per ${user.fullName}`}>
            <IconDots size={20} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUserCog size={18} />} onClick={() => setQuestion('role')}>
            {promotes ? 'Rendi amministratore' : 'Togli il ruolo di amministratore'}
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={18} />} onClick={sendRecovery}>
            Invia il reset della password
          </Menu.Item>
          {user.suspended ? (
            <Menu.Item leftSection={<IconLockOpen size={18} />} onClick={reinstate}>
              Riattiva
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLock size={18} />} onClick={() => setQuestion('suspend')}>
              Sospendi
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={18} />} onClick={() => setQuestion('delete')}>
            Elimina
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={question === 'role'}
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
            <strong>{user.fullName}</strong> non potrà più gestire gli utenti.
          </>
        )}{' '}
        Dovrà accedere di nuovo.
      </ConfirmDialog>
      <ConfirmDialog
        opened={question === 'suspend'}
        title="Sospendi account"
        confirmLabel="Sospendi"
        onClose={close}
        onConfirm={async () => {
          await change.mutateAsync({ id: user.id, suspended: true });
          toast({ title: `Account di ${user.fullName} sospeso` });
        }}
      >
        <strong>{user.fullName}</strong> viene disconnesso da tutti i dispositivi e non potrà accedere finché
        non lo riattivi.
      </ConfirmDialog>
      <ConfirmDialog
        opened={question === 'delete'}
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
