import { Text } from '@mantine/core';
import { memo } from 'react';
import { andOthers } from '#client/lib/words.ts';
import table from '#client/ui/table.module.css';
import { TableCaption } from '#client/ui/table-caption.tsx';
import type { CrewRow } from './crew-list.ts';
import { type ImportTarget, type KnownPeople, type Outcome, outcomeOf } from './crew-plan.ts';
import styles from './crew-preview.module.css';

/** Rows shown of a valid list; invalid rows come first and are all shown. */
const PREVIEW_ROWS = 50;

const KNOWN_OUTCOMES: Record<Outcome, string> = {
  added: 'Già nel team',
  'left out': 'Già nel team: non viene importata',
  assigned: 'Già nel team: viene assegnata al progetto',
  'on the project': 'Già nel progetto',
  ambiguous: 'Più persone del team hanno questo nome: assegna quella giusta dal progetto',
};

function OutcomeText({ row, known, target }: { row: CrewRow; known: KnownPeople; target: ImportTarget }) {
  if (!row.input) {
    return (
      <Text size="sm" c="red" fw={600}>
        {Object.values(row.errors).join('. ')}
      </Text>
    );
  }
  const outcome = outcomeOf(row.fullName, known, target);
  const warnings = [
    known.has(row.fullName) ? KNOWN_OUTCOMES[outcome] : row.repeated && 'Nome già presente nell’elenco',
    outcome === 'added' && row.unknownRole && 'Ruolo non specificato',
  ].filter(Boolean);
  if (warnings.length === 0) return 'Pronta';
  return (
    <Text size="sm" c="orange">
      {warnings.join('. ')}
    </Text>
  );
}

/** The lines of a list, and what an import into `target` does with each; first those that keep it from being imported. */
export const CrewPreview = memo(function CrewPreview({
  rows,
  known,
  target,
}: {
  rows: readonly CrewRow[];
  known: KnownPeople;
  target: ImportTarget;
}) {
  const wrong = rows.filter(({ input }) => !input);
  const isDoubtful = ({ repeated, unknownRole, fullName }: CrewRow) =>
    repeated || unknownRole || known.has(fullName);
  const valid = rows.filter(({ input }) => input);
  const doubtful = valid.filter(isDoubtful);
  const sound = valid.filter((row) => !isDoubtful(row));
  const shown = [...wrong, ...doubtful, ...sound].slice(0, Math.max(PREVIEW_ROWS, wrong.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached with the keyboard
    <section className={styles.preview} tabIndex={0} aria-label="Anteprima dell’elenco">
      <table className={table.table} data-small>
        <TableCaption>Anteprima dell’elenco</TableCaption>
        <thead>
          <tr>
            <th scope="col">Riga</th>
            <th scope="col">Persona</th>
            <th scope="col">Esito</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              <td>
                {row.fullName || '—'}
                <Text size="xs" c="dimmed">
                  {[row.values.role, row.values.department, row.values.email, row.values.phone]
                    .filter(Boolean)
                    .join(', ')}
                </Text>
              </td>
              <td>
                <OutcomeText row={row} known={known} target={target} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Text size="sm" c="dimmed" p="xs">
          {andOthers(rows.length - shown.length, 'riga', 'righe')}
        </Text>
      )}
    </section>
  );
});
