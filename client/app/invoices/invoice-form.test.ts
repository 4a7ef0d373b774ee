import { expect, test } from 'vitest';
import { adminInvoiceFormSchema } from '#contract/admin-invoices.ts';
import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import { ownInvoiceFormSchema } from '#contract/invoices.ts';
import { type InvoiceFieldTexts, invoiceErrors } from './invoice-form.ts';

const today = todayInRome();
const sound = { projectId: '7', amount: 12.5, issueDate: today, dueDate: '', description: '' };
const wrongFields = (change: Partial<InvoiceFieldTexts>) =>
  Object.keys(invoiceErrors(ownInvoiceFormSchema, { ...sound, ...change })).sort();

test('a valid invoice has no errors', () => {
  expect(wrongFields({})).toEqual([]);
  expect(wrongFields({ dueDate: today })).toEqual([]);
});

test('all invalid fields are reported together, whichever rule they break', () => {
  expect(wrongFields({ projectId: '', amount: 0, dueDate: addDays(today, -1) })).toEqual([
    'amount',
    'dueDate',
    'project',
  ]);
  expect(wrongFields({ amount: '', issueDate: addDays(today, 1) })).toEqual(['amount', 'issueDate']);
  expect(wrongFields({ projectId: '', issueDate: 'domani', dueDate: 'dopo' })).toEqual([
    'dueDate',
    'issueDate',
    'project',
  ]);
  expect(
    Object.keys(
      invoiceErrors(adminInvoiceFormSchema, { ...sound, amount: 1_000_001, issueDate: '2000-01-01' }),
    ).sort(),
  ).toEqual(['amount', 'customer', 'issueDate']);
});

test('an amount with a thousandth is invalid, and not taken for thousands', () => {
  expect(wrongFields({ amount: 1.234 })).toEqual(['amount']);
  expect(wrongFields({ amount: '1.234' })).toEqual([]);
});

test('a date after today is refused in the same words, however far ahead it is', () => {
  for (const days of [1, 90, 540]) {
    const issueDate = addDays(today, days);
    expect([days, invoiceErrors(ownInvoiceFormSchema, { ...sound, issueDate })]).toEqual([
      days,
      { issueDate: 'La data di emissione non può essere nel futuro.' },
    ]);
  }
});

test('a due date of a year without dates is told which years there are', () => {
  expect(invoiceErrors(ownInvoiceFormSchema, { ...sound, dueDate: '01/03/2203' })).toEqual({
    dueDate: 'L’anno deve essere tra il 1900 e il 2199.',
  });
});

test('the existing issue date of an invoice stays valid', () => {
  const kept = '2000-01-01' as CalendarDate;
  expect(invoiceErrors(ownInvoiceFormSchema, { ...sound, issueDate: kept, amount: 0 }, kept)).toEqual({
    amount: 'Importo non valido. Deve essere un numero positivo fino a 1.000.000€.',
  });
  const ahead = addDays(today, 9);
  expect(invoiceErrors(ownInvoiceFormSchema, { ...sound, issueDate: ahead }, ahead)).toEqual({});
});
