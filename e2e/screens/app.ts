import type { Page } from '@playwright/test';
import { openMenu } from '../support/menu.ts';
import { failToAnswer, type Screen } from '../support/screen.ts';
import { pressShortcut } from '../support/shortcuts.ts';

const home = '/app/home';

/** Opens the palette and types `text`. */
async function searchFor(page: Page, text: string): Promise<void> {
  await pressShortcut(page, 'Control+k');
  await page.getByRole('combobox', { name: /Cerca progetti/ }).fill(text);
}

/** The shell around every page, in each of its states. */
export const screens: readonly Screen[] = [
  {
    name: 'shell-menu',
    path: home,
    as: 'customer',
    prepare: async (page) => {
      await pressShortcut(page, 'Control+b');
      await page.getByRole('link', { name: 'Supporto 24/7' }).first().waitFor();
    },
  },
  {
    name: 'shell-account-menu',
    path: home,
    as: 'admin',
    prepare: (page) => page.getByRole('button', { name: /^Account di/ }).click(),
  },
  {
    name: 'shell-palette',
    path: home,
    as: 'customer',
    prepare: async (page) => {
      await searchFor(page, 'fe');
      await page.getByRole('dialog').getByText('Fermata impianto etilene').last().waitFor();
    },
  },
  {
    name: 'shell-palette-nothing',
    path: home,
    as: 'customer',
    prepare: async (page) => {
      await searchFor(page, 'introvabile');
      await page.getByText('Nessun risultato', { exact: false }).waitFor();
    },
  },
  {
    name: 'shell-toast',
    path: '/app/support',
    as: 'customer',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Account di/ }).click();
      await page.route('**/api/auth/logout**', (route) => route.fulfill({ status: 500, json: {} }));
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await page.getByText('Errore durante il logout').waitFor();
    },
  },
  {
    name: 'shell-leave',
    path: '/app/profile',
    as: 'customer',
    prepare: async (page) => {
      await page.getByLabel('Nome completo').fill('Paola Galli Rossi');
      await (await openMenu(page)).getByRole('link', { name: 'Home' }).click();
      await page.getByRole('dialog', { name: 'Uscire senza salvare?' }).waitFor();
    },
  },
  {
    name: 'shell-offline',
    path: home,
    as: 'customer',
    prepare: async (page) => {
      // On a slow machine the network is idle before the page has started to read.
      await page.getByRole('heading', { name: 'Spesa per mese' }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('Sei offline', { exact: false }).waitFor();
    },
  },
  {
    name: 'shell-page-failed',
    path: home,
    as: 'customer',
    broken: true,
    arrange: async (page) => {
      await page.route('**/api/dashboard', (route) => route.fulfill({ json: { today: 'nonsense' } }));
    },
    prepare: (page) => page.getByText('Codice da comunicare al supporto', { exact: false }).waitFor(),
  },
  {
    name: 'shell-frame-failed',
    path: home,
    as: 'customer',
    broken: true,
    arrange: async (page) => {
      await page.route('**/api/auth/session', (route) => route.fulfill({ json: { me: { id: 'nobody' } } }));
    },
    prepare: (page) => page.getByText('Codice da comunicare al supporto', { exact: false }).waitFor(),
  },
  {
    name: 'shell-unknown-page',
    path: '/app/percorso-che-non-esiste',
    as: 'customer',
    prepare: (page) => page.getByText('Oops! Page not found').waitFor(),
  },
  {
    name: 'shell-no-server',
    path: home,
    as: 'customer',
    arrange: failToAnswer('auth/session'),
    prepare: (page) => page.getByRole('button', { name: 'Riprova' }).waitFor(),
  },
];
