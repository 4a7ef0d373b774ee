import {
  type Icon,
  IconFilePlus,
  IconHistory,
  IconInbox,
  IconListCheck,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import type { Permissions } from '#contract/accounts.ts';
import { foldText } from '#contract/lists.ts';
import { isActive, menuOf } from './menu.ts';

/** A page of the application, or a form on it, with additional search terms. */
export type Page = { to: string; label: string; lang?: string; icon: Icon; words: string };

const WORDS: Readonly<Record<string, string>> = {
  '/app/home': 'dashboard inizio panoramica',
  '/app/nuova-trasferta': 'richiesta alloggio hotel appartamento',
  '/app/pagamenti-fatture': 'scadenze pdf spesa da pagare',
  '/app/progetti-team': 'cantieri dipendenti persone squadra',
  '/app/support': 'aiuto telefono whatsapp email',
  '/app/admin/invoices': 'fattura pdf',
};

/** A form in which an invoice is created, opened with its page. */
function invoiceForm(page: string, label: string): Page {
  return { to: `${page}?nuova=1`, label, icon: IconFilePlus, words: 'crea fattura' };
}

/** The pages an account may open, for the command palette. */
export function pagesOf(permissions: Permissions): Page[] {
  const pages: Page[] = menuOf(permissions).map((item) => ({ ...item, words: WORDS[item.to] ?? '' }));
  if (permissions.manageAllInvoices) pages.push(invoiceForm('/app/admin/invoices', 'Crea Nuova Fattura'));
  if (!permissions.customerArea) return pages;
  if (permissions.createInvoices) pages.push(invoiceForm('/app/pagamenti-fatture', 'Nuova Fattura'));
  pages.push(
    {
      to: '/app/nuova-trasferta/richieste',
      label: 'Le tue richieste',
      icon: IconHistory,
      words: 'trasferte inviate stato',
    },
    {
      to: '/app/requirements',
      label: 'Travel requirements',
      lang: 'en',
      icon: IconListCheck,
      words: 'esigenze requisiti inglese',
    },
    {
      to: '/app/profile',
      label: 'Il mio profilo',
      icon: IconUserCircle,
      words: 'account password sicurezza',
    },
  );
  if (permissions.manageUsers) {
    pages.push({
      to: '/app/user-management',
      label: 'Gestione Utenti',
      icon: IconUsers,
      words: 'account ruoli clienti',
    });
  }
  if (permissions.manageTripRequests) {
    pages.push({
      to: '/app/gestione-richieste',
      label: 'Gestione Richieste',
      icon: IconInbox,
      words: 'trasferte clienti proposte',
    });
  }
  return pages;
}

/** The page at `path`; undefined if the account has no such page. */
export function pageAt(permissions: Permissions, path: string): Page | undefined {
  // Pages below another one come after it.
  return pagesOf(permissions).findLast((page) => isActive(page, path));
}

/** Whether a word of `text` starts with `query`, ignoring case and accents; an empty query always matches. */
export function wordBegins(text: string, query: string): boolean {
  return ` ${foldText(text)}`.includes(` ${foldText(query.trim())}`);
}
