import { expect, test } from 'vitest';
import { ApiError } from '#client/lib/api.ts';
import { crewImportFailure } from './crew-import-failure.ts';

const said = (status: number, fields: Record<string, string> = {}) =>
  crewImportFailure(new ApiError({ status, code: 'code', message: 'Motivo', fields })).message;

const UNKNOWN =
  "Errore durante l'aggiunta del dipendente. Non sappiamo se l’elenco è stato importato: puoi inviarlo di nuovo così com’è, nessuno viene aggiunto due volte.";

test.each([
  ['no answer', 0],
  ['a server that broke down', 500],
  ['a server in between that is away', 503],
])('after %s it is not known whether anybody was imported', (_, status) => {
  expect(said(status)).toBe(UNKNOWN);
});

test('neither is it after a failure that is none of the API', () => {
  expect(crewImportFailure(new Error('x')).message).toBe(UNKNOWN);
});

test('a refusal says why, and that nobody was imported', () => {
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
