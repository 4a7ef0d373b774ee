import {
  type Icon,
  IconFileInvoice,
  IconHeadset,
  IconHome,
  IconRoute,
  IconUsersGroup,
} from '@tabler/icons-react';
import { matchPath } from 'react-router';
import type { Permissions } from '#contract/accounts.ts';

/** An entry of the side menu. */
export type MenuItem = { to: string; label: string; icon: Icon };

const CUSTOMER_MENU: readonly MenuItem[] = [
  { to: '/app/home', label: 'Home', icon: IconHome },
  { to: '/app/nuova-trasferta', label: 'Nuova Trasferta', icon: IconRoute },
  { to: '/app/pagamenti-fatture', label: 'Pagamenti e Fatture', icon: IconFileInvoice },
  { to: '/app/progetti-team', label: 'Progetti e Team', icon: IconUsersGroup },
  { to: '/app/support', label: 'Supporto 24/7', icon: IconHeadset },
];

const INVOICE_ADMIN_MENU: readonly MenuItem[] = [
  { to: '/app/admin/invoices', label: 'Gestione Fatture', icon: IconFileInvoice },
];

/** The side menu of an account (spec §2, Shell). */
export function menuOf(permissions: Permissions): readonly MenuItem[] {
  return permissions.manageAllInvoices ? INVOICE_ADMIN_MENU : CUSTOMER_MENU;
}

/** Whether `path` is the page of `item` or below it, as the router finds pages: in any case. */
export function isActive(item: Pick<MenuItem, 'to'>, path: string): boolean {
  return matchPath({ path: item.to, end: false }, path) !== null;
}
