import { describe, expect, test } from 'vitest';
import { ApiError } from '#client/lib/api.ts';
import { EMPLOYEE_FAILURES } from '#contract/employees.ts';
import { PROJECT_FAILURES, PROJECT_TEXTS } from '#contract/projects.ts';
import { failureText, worded } from './failures.ts';

const refusal = (status: number, code = 'conflict') => new ApiError({ status, code, message: 'motivo' });

describe('the message of a failed attempt (spec §8)', () => {
  test('on projects', () => {
    expect(failureText(refusal(401), PROJECT_FAILURES.create)).toBe(
      'Devi essere autenticato per creare un progetto',
    );
    expect(failureText(refusal(409), PROJECT_FAILURES.create)).toBe(
      'Errore nella creazione del progetto: motivo',
    );
    expect(failureText(refusal(403, 'project_owner_mismatch'), PROJECT_FAILURES.create)).toBe('motivo');
    expect(failureText(refusal(500), PROJECT_FAILURES.create)).toBe(
      'Errore durante la creazione del progetto',
    );
    expect(failureText(new Error('x'), PROJECT_FAILURES.create)).toBe(
      'Errore durante la creazione del progetto',
    );
    expect(failureText(refusal(401), PROJECT_FAILURES.delete)).toBe(
      'Devi essere autenticato per eliminare un progetto',
    );
    expect(failureText(refusal(409), PROJECT_FAILURES.delete)).toBe(
      "Errore nell'eliminazione del progetto: motivo",
    );
    expect(failureText(refusal(0, 'network'), PROJECT_FAILURES.delete)).toBe(
      "Errore nell'eliminazione del progetto: motivo",
    );
    const empty = new ApiError({ status: 201, code: 'no_data', message: PROJECT_TEXTS.createdWithoutData });
    expect(failureText(empty, PROJECT_FAILURES.create)).toBe(
      'Nessun dato ritornato dalla creazione del progetto',
    );
  });

  test('on employees', () => {
    const said = Object.values(EMPLOYEE_FAILURES).flatMap((texts) => [
      failureText(refusal(401), texts),
      failureText(refusal(409), texts),
      failureText(refusal(500), texts),
    ]);
    expect(said).toEqual([
      'Devi essere autenticato per aggiungere un dipendente',
      "Errore durante l'aggiunta del dipendente",
      "Errore durante l'aggiunta del dipendente",
      'Devi essere autenticato per aggiornare lo stato',
      "Errore durante l'aggiornamento dello stato",
      "Errore durante l'aggiornamento dello stato",
      'Devi essere autenticato per eliminare un dipendente',
      "Errore durante l'eliminazione del dipendente",
      "Errore durante l'eliminazione del dipendente",
    ]);
  });

  test("is the server's own for a code that says it as specified", () => {
    const texts = { ...PROJECT_FAILURES.create, literal: 'forbidden' } as const;
    expect(failureText(refusal(403, 'forbidden'), texts)).toBe('motivo');
    expect(failureText(refusal(409), texts)).toBe('Errore nella creazione del progetto: motivo');
  });

  test("is the application's own for an ended session, if the action has none", () => {
    expect(failureText(refusal(401, 'unauthenticated'), { failed: 'Not sent.' })).toBe('motivo');
    expect(failureText(refusal(0, 'network'), { failed: 'Not sent.' })).toBe('Not sent.');
  });

  test('keeps the invalid fields and whether it is repeatable', () => {
    const error = new ApiError({
      status: 422,
      code: 'invalid_input',
      message: 'x',
      fields: { name: 'manca' },
      repeatable: true,
    });
    expect(worded(error, PROJECT_FAILURES.create)).toMatchObject({
      code: 'invalid_input',
      fields: { name: 'manca' },
      repeatable: true,
    });
  });
});
