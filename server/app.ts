import { OpenAPIHono } from '@hono/zod-openapi';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { provider } from '#provider';
import { accountRoutes } from '#server/features/accounts/routes.ts';
import { adminInvoiceRoutes } from '#server/features/admin-invoices/routes.ts';
import { clientErrorRoutes } from '#server/features/client-errors/routes.ts';
import { contactRequestRoutes } from '#server/features/contact-requests/routes.ts';
import { customerRoutes } from '#server/features/customers/routes.ts';
import { dashboardRoutes } from '#server/features/dashboard/routes.ts';
import { dataDownloadRoutes } from '#server/features/data-downloads/routes.ts';
import { employeeRoutes } from '#server/features/employees/routes.ts';
import { erasureRoutes } from '#server/features/erasures/routes.ts';
import { invoiceRoutes } from '#server/features/invoices/routes.ts';
import { mailMessageRoutes } from '#server/features/mail-messages/routes.ts';
import { profileRoutes } from '#server/features/profile/routes.ts';
import { projectRoutes } from '#server/features/projects/routes.ts';
import { requirementsRoutes } from '#server/features/requirements/routes.ts';
import { searchRoutes } from '#server/features/search/routes.ts';
import { sessionRoutes } from '#server/features/sessions/routes.ts';
import { supportRequestRoutes } from '#server/features/support-requests/routes.ts';
import { tokenRoutes } from '#server/features/tokens/routes.ts';
import { tripRequestRoutes } from '#server/features/trip-requests/routes.ts';
import { twoFactorRoutes } from '#server/features/two-factor/routes.ts';
import { userRoutes } from '#server/features/users/routes.ts';
import { docs } from '#server/http/docs.ts';
import type { AppEnv } from '#server/http/env.ts';
import { answerError, onError } from '#server/http/error-answers.ts';
import { inertAnswers, privateAnswers, securityHeaders } from '#server/http/headers.ts';
import { health } from '#server/http/health.ts';
import { nameRequest, requestLog, sameOrigin, unsentBody, wellFormedRequest } from '#server/http/requests.ts';
import { clientFiles } from '#server/http/static.ts';
import type { Services } from '#server/services.ts';

/** The routes of every resource of the API. */
const api = new OpenAPIHono<AppEnv>()
  .route('/', accountRoutes)
  .route('/', adminInvoiceRoutes)
  .route('/', clientErrorRoutes)
  .route('/', contactRequestRoutes)
  .route('/', customerRoutes)
  .route('/', dashboardRoutes)
  .route('/', dataDownloadRoutes)
  .route('/', employeeRoutes)
  .route('/', erasureRoutes)
  .route('/', invoiceRoutes)
  .route('/', mailMessageRoutes)
  .route('/', profileRoutes)
  .route('/', projectRoutes)
  .route('/', requirementsRoutes)
  .route('/', searchRoutes)
  .route('/', sessionRoutes)
  .route('/', supportRequestRoutes)
  .route('/', tokenRoutes)
  .route('/', tripRequestRoutes)
  .route('/', twoFactorRoutes)
  .route('/', userRoutes);

/** `methodNotAllowed` must look at the API alone, because the route of the client's files matches every address. */
const apiAlone = new OpenAPIHono<AppEnv>().route('/api', api);
const otherMethods = methodNotAllowed<AppEnv>({
  app: apiAlone,
  onMethodNotAllowed(c, methods) {
    c.header('Allow', methods.join(', '));
    return answerError(c, 'method_not_allowed');
  },
});

/** The type from which the typed client is derived. */
export type Api = typeof api;

/** Builds the application on running services: API, OpenAPI document, health checks and the built client. */
export function createApp(services: Services) {
  const app = new OpenAPIHono<AppEnv>();
  app.onError(onError);
  app.use(async (c, next) => {
    c.set('services', services);
    await next();
  });
  app.use(nameRequest, requestLog, unsentBody, securityHeaders(services.env.publicUrl), inertAnswers);
  app.route('/', health);

  app.use('/api/*', privateAnswers, otherMethods, sameOrigin, wellFormedRequest);
  // Cached: generating it takes a tenth of a second, and anybody may request it.
  let document: ReturnType<typeof app.getOpenAPI31Document> | undefined;
  app.get('/api/openapi.json', (c) => {
    document ??= app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: `${provider.name} API`, version: '1' },
      servers: [{ url: services.env.publicUrl }],
    });
    return c.json(document);
  });
  app.route('/api/docs', docs);
  app.route('/api', api);
  app.all('/api/*', (c) => answerError(c, 'not_found'));

  app.route('/', clientFiles);
  return app;
}
