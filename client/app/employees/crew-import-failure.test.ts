import { expect, test } from 'vitest';
import { ApiError } from '#client/lib/api.ts';
import { crewImportFailure } from './crew-import-failure.ts';

const said = (status: number, fields: Record<string, string> = {}) =>
  crewImportFailure(new ApiError({ status, code: 'code', message: 'Motivo', fields })).message;

const UNKNOWN =
  "Errore durante l'aggiunta del dipendente. Non sappiamo se l’elenco è stato importato: puoi inviarlo di nuovo così com’è, nessuno viene aggiunto due volte.";

test.each([
  ['no answer', 0],
  ['a server error', 500],
  ['an error of a proxy', 503],
])('after %s the message says that the outcome is unknown', (_, status) => {
  expect(said(status)).toBe(UNKNOWN);
});

test('after an error outside the API the message says that the outcome is unknown', () => {
  expect(crewImportFailure(new Error('x')).message).toBe(UNKNOWN);
});

test('after a refusal the message says why, and that nobody was imported', () => {
  expect(said(409)).toBe(
    "Errore durante l'aggiunta del dipendente. Motivo. Nessuna persona è stata importata.",
  );
  expect(said(404, { projectId: 'Il progetto non esiste più.' })).toBe(
    "Errore durante l'aggiunta del dipendente. Il progetto non esiste più. Nessuna persona è stata importata.",
  );
  expect(
    said(422, { 'employees.0.email': 'Email non valida', 'employees.7.email': 'Email non valida' }),
  ).toBe("Errore durante l'aggiunta del dipendente. Email non valida. Nessuna persona è stata importata.");
  expect(said(401)).toBe('Devi essere autenticato per aggiungere un dipendente');
});
