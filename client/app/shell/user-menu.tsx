import { Avatar, Menu, UnstyledButton } from '@mantine/core';
import {
  IconChevronDown,
  IconInbox,
  IconLogout,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { answer, api } from '#client/lib/api.ts';
import { startLeaving, stopLeaving } from '#client/lib/leaving.ts';
import { announceSession, displayName, useForgetSession } from '#client/lib/session.ts';
import { toast } from '#client/ui/toast.ts';
import type { Me } from '#contract/accounts.ts';
import styles from './user-menu.module.css';

/** Ends the session, says so and goes to the public home (spec §2). A session that has already ended counts as ended. */
function useLogOut() {
  const navigate = useNavigate();
  const forget = useForgetSession();
  return async () => {
    await startLeaving();
    try {
      await answer(api.auth.logout.$post({ query: {} }));
    } catch (error) {
      if (!(error instanceof Error && 'status' in error && error.status === 401)) {
        stopLeaving();
        toast({ title: 'Errore durante il logout', kind: 'error' });
        return;
      }
    }
    toast({ title: 'Logout effettuato con successo' });
    await navigate('/');
    await forget();
    // Loaded on demand, for the frame itself has no form.
    import('#client/lib/drafts.ts').then(({ forgetDrafts }) => forgetDrafts()).catch(() => {});
    announceSession('signed-out');
  };
}

/** The account's name and picture, and what it may do with itself (spec §2, top-bar user menu). */
export function UserMenu({ me }: { me: Me }) {
  const logOut = useLogOut();
  const name = displayName(me);
  return (
    <Menu position="bottom-end" width={224} shadow="md">
      <Menu.Target>
        <UnstyledButton className={styles.target}>
          <Avatar src={me.profilePicture} alt="" size={36}>
            <IconUser size={22} stroke={1.75} aria-hidden="true" />
          </Avatar>
          <span className={styles.words}>
            <span className="visually-hidden">Account di </span>
            <span className={styles.name}>{name}</span>
            {me.companyName && <span className={styles.company}>{me.companyName}</span>}
          </span>
          <IconChevronDown className={styles.chevron} size={18} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {me.permissions.manageUsers && (
          <Menu.Item component={Link} to="/app/user-management" leftSection={<IconUsers size={18} />}>
            Gestione Utenti
          </Menu.Item>
        )}
        {me.permissions.manageTripRequests && (
          <Menu.Item component={Link} to="/app/gestione-richieste" leftSection={<IconInbox size={18} />}>
            Gestione Richieste
          </Menu.Item>
        )}
        {!me.permissions.manageAllInvoices && (
          <Menu.Item component={Link} to="/app/profile" leftSection={<IconUserCircle size={18} />}>
            Il mio profilo
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={18} />} onClick={logOut}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
