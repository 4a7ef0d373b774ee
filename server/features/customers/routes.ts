import {
  customerListSchema,
  customerParam,
  customerProjectListSchema,
  customersQuerySchema,
} from '#contract/customers.ts';
import { listQuerySchema } from '#contract/lists.ts';
import type { UserId } from '#server/auth/actor.ts';
import { reading } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer } from '#server/http/router.ts';
import { listCustomerProjects, listCustomers } from './queries.ts';

export const customerRoutes = createRouter()
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/customers',
      tags: ['customers'],
      summary: 'Accounts that are or were invoiced, by name, e-mail or company',
      request: { query: customersQuerySchema },
      responses: { 200: jsonAnswer(customerListSchema, 'One page') },
    }),
    async (c) => {
      const { invoiceAdminEmail } = c.get('services').env;
      const page = await listCustomers(reading(c), invoiceAdminEmail, c.req.valid('query'));
      return c.json(customerListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('invoiceAdmin', {
      method: 'get',
      path: '/admin/customers/{id}/projects',
      tags: ['customers'],
      summary: 'Projects of one customer',
      request: { params: customerParam, query: listQuerySchema },
      responses: { 200: jsonAnswer(customerProjectListSchema, 'One page; empty for an unknown customer') },
    }),
    async (c) => {
      const customerId = c.req.valid('param').id as UserId;
      const page = await listCustomerProjects(reading(c), customerId, c.req.valid('query'));
      return c.json(customerProjectListSchema.parse(page), 200);
    },
  );
