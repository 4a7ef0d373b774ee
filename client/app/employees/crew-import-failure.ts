import { ApiError } from '#client/lib/api.ts';
import { isRefused, worded } from '#client/lib/failures.ts';
import { EMPLOYEE_FAILURES } from '#contract/employees.ts';

const sentence = (text: string) => text.replace(/\.?$/, '.');

/**
 * The message about a failed import. Only a rejection means that nobody was added; after any other failure the
 * unchanged list can be sent again and is still added only once (`creatingOnce`).
 */
export function crewImportFailure(error: unknown): ApiError {
  const { unauthenticated, failed } = EMPLOYEE_FAILURES.add;
  const fields = error instanceof ApiError ? [...new Set(Object.values(error.fields))] : [];
  return worded(error, {
    unauthenticated,
    ...(isRefused(error) && {
      refused: (reason: string) =>
        [failed, ...(fields.length > 0 ? fields : [reason]), 'Nessuna persona è stata importata']
          .map(sentence)
          .join(' '),
    }),
    failed: `${sentence(failed)} Non sappiamo se l’elenco è stato importato: puoi inviarlo di nuovo così com’è, nessuno viene aggiunto due volte.`,
  });
}
