import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every address of the product (spec §2). The public ones are listed again in `site/paths.ts` to be prerendered. */
export default [
  layout('site/layout.tsx', [
    index('site/home.tsx'),
    route('solutions', 'site/solutions.tsx'),
    route('pricing', 'site/pricing.tsx'),
    route('company', 'site/company.tsx'),
    route('contacts', 'site/contacts.tsx'),
    route('login', 'site/login/login.tsx'),
    route('privacy', 'site/privacy.tsx'),
    route('cookies', 'site/cookies.tsx'),
    route('accessibility', 'site/accessibility.tsx'),
    route('*', 'site/not-found.tsx'),
  ]),
  route('app', 'app/shell/layout.tsx', [
    index('app/shell/landing.tsx'),
    layout('app/shell/pages.tsx', [
      route('home', 'app/dashboard/page.tsx'),
      route('progetti-team', 'app/projects/page.tsx'),
      route('nuova-trasferta', 'app/trip-requests/page.tsx'),
      route('nuova-trasferta/richieste', 'app/trip-requests/list-page.tsx'),
      route('nuova-trasferta/richieste/:id', 'app/trip-requests/detail-page.tsx'),
      route('gestione-richieste', 'app/trip-requests/management-page.tsx'),
      route('gestione-richieste/:id', 'app/trip-requests/management-detail-page.tsx'),
      route('pagamenti-fatture', 'app/invoices/page.tsx'),
      route('admin/invoices', 'app/admin-invoices/page.tsx'),
      route('profile', 'app/profile/page.tsx'),
      route('support', 'app/support/page.tsx'),
      route('user-management', 'app/users/page.tsx'),
      route('requirements', 'app/requirements/page.tsx'),
      route('*', 'app/shell/unknown-page.tsx'),
    ]),
  ]),
] satisfies RouteConfig;
