import { Avatar, UnstyledButton } from '@mantine/core';
import {
  IconChevronDown,
  IconInbox,
  IconLogout,
  IconUser,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { memo } from 'react';
import { answer, api } from '#client/lib/api.ts';
import { unlessEnded, useLeave } from '#client/lib/leaving.ts';
import { displayName, isLeaving } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { Link } from '#client/ui/link.tsx';
import { Menu } from '#client/ui/menu.tsx';
import type { Me } from '#contract/accounts.ts';
import styles from './user-menu.module.css';

/** The account's name and picture, and its actions (spec §2, top-bar user menu). */
export const UserMenu = memo(function UserMenu({ me }: { me: Me }) {
  const leave = useLeave();
  async function logOut() {
    // A second answer would take the user away from wherever they have gone since the first.
    if (isLeaving()) return;
    await leave(() => answer(api.auth.logout.$post({ query: {} })).catch(unlessEnded)).catch((error: Error) =>
      toast({ title: 'Errore durante il logout', message: error.message, kind: 'error' }),
    );
  }
  const name = displayName(me);
  return (
    <Menu
      position="bottom-end"
      width={224}
      shadow="md"
      // At the top of the page there is always room below, so its position need not be measured.
      middlewares={{ flip: false, shift: false }}
    >
      <Menu.Target>
        <UnstyledButton className={styles.target}>
          <Avatar src={me.profilePicture} alt="" size={36} color="petrol">
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
        <Menu.Label className={styles.who}>
          <span className={styles.name}>{name}</span>
          {me.companyName && <span className={styles.company}>{me.companyName}</span>}
        </Menu.Label>
        {me.permissions.manageUsers && (
          <Menu.Item
            component={Link}
            to="/app/user-management"
            leftSection={<IconUsers size={18} aria-hidden="true" />}
          >
            Gestione Utenti
          </Menu.Item>
        )}
        {me.permissions.manageTripRequests && (
          <Menu.Item
            component={Link}
            to="/app/gestione-richieste"
            leftSection={<IconInbox size={18} aria-hidden="true" />}
          >
            Gestione Richieste
          </Menu.Item>
        )}
        {!me.permissions.manageAllInvoices && (
          <Menu.Item
            component={Link}
            to="/app/profile"
            leftSection={<IconUserCircle size={18} aria-hidden="true" />}
          >
            Il mio profilo
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={18} aria-hidden="true" />} onClick={logOut}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});
