import { ApiError } from '#client/lib/api.ts';
import { worded } from '#client/lib/failures.ts';
import { EMPLOYEE_FAILURES } from '#contract/employees.ts';

const sentence = (text: string) => text.replace(/\.?$/, '.');

/** Whether it is certain that nobody was added: a server that broke down, or is not heard, may have added all. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/**
 * What is said of a crew list whose import failed. Only a refusal tells that nobody was added; after anything else the list,
 * sent again as it is, is added once (`makingOnce`).
 */
export function crewImportFailure(error: unknown): ApiError {
  const { unauthenticated, failed } = EMPLOYEE_FAILURES.add;
  const fields = error instanceof ApiError ? [...new Set(Object.values(error.fields))] : [];
  return worded(error, {
    unauthenticated,
    refused: (reason) =>
      [failed, ...(fields.length > 0 ? fields : [reason]), 'Nessuna persona è stata importata']
        .map(sentence)
        .join(' '),
    failed: `${sentence(failed)} Non sappiamo se l’elenco è stato importato: puoi inviarlo di nuovo così com’è, nessuno viene aggiunto due volte.`,
  });
}
