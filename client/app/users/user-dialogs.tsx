import { toast } from '#client/lib/toast.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { type DialogAround, dialogsAround } from '#client/ui/dialogs-around.tsx';
import type { User } from '#contract/users.ts';
import { useChangeUser, useDeleteUser } from './api.ts';
import { EditUserDialog } from './edit-user-dialog.tsx';

/** The account a question is about: by its address too, because several people may have one name. */
function Who({ user: { fullName, email } }: { user: User }) {
  return (
    <>
      <strong>{fullName}</strong> ({email})
    </>
  );
}

/** A dialog, with its account as of opening. */
type Subject = { kind: 'edit' | 'role' | 'suspend' | 'delete'; user: User };

function Dialogs({ kind, user, opened, onClose }: DialogAround<Subject>) {
  const change = useChangeUser();
  const remove = useDeleteUser();
  const shown = opened ? kind : null;
  const promotes = user.role === 'user';
  return (
    <>
      {shown === 'edit' && <EditUserDialog user={user} onClose={onClose} />}
      <ConfirmDialog
        opened={shown === 'role'}
        title={promotes ? 'Rendi amministratore' : 'Togli il ruolo di amministratore'}
        confirmLabel={promotes ? 'Rendi amministratore' : 'Togli il ruolo'}
        destructive={!promotes}
        onClose={onClose}
        onConfirm={async () => {
          await change.mutateAsync({ id: user.id, role: promotes ? 'admin' : 'user' });
          toast({ title: `Ruolo di ${user.fullName} aggiornato` });
        }}
      >
        {promotes ? (
          <>
            <Who user={user} /> potrà gestire gli utenti e le richieste di tutti i clienti.
          </>
        ) : (
          <>
            <Who user={user} /> non potrà più gestire né gli utenti né le richieste dei clienti.
          </>
        )}{' '}
        Dovrà accedere di nuovo.
      </ConfirmDialog>
      <ConfirmDialog
        opened={shown === 'suspend'}
        title="Sospendi account"
        confirmLabel="Sospendi"
        onClose={onClose}
        onConfirm={async () => {
          await change.mutateAsync({ id: user.id, suspended: true });
          toast({ title: `Account di ${user.fullName} sospeso` });
        }}
      >
        L’account di <Who user={user} /> viene disconnesso da tutti i dispositivi e non potrà accedere finché
        non lo riattivi.
      </ConfirmDialog>
      <ConfirmDialog
        opened={shown === 'delete'}
        title="Elimina account"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={onClose}
        onConfirm={async () => {
          await remove.mutateAsync(user.id);
          toast({ title: `Account di ${user.fullName} eliminato` });
        }}
      >
        L’account di <Who user={user} /> viene eliminato con le sue richieste, i suoi messaggi e i progetti
        senza fatture; i dipendenti diventano anonimi. Le fatture restano. Non si può annullare.
      </ConfirmDialog>
    </>
  );
}

/** Wraps a list of accounts and renders their dialogs, which components below can open. */
export const { Around: UserDialogs, useOpenDialog: useOpenUserDialog } = dialogsAround('user', Dialogs);
