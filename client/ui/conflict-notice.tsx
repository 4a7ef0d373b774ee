import { Alert, Button, Group } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { type Difference, type EditConflict, isSame } from '#client/lib/edit-conflict.ts';
import table from '#client/ui/table.module.css';
import styles from './conflict-notice.module.css';

/**
 * For a form that edits a record: says that the record has changed meanwhile, shows both versions and lets the user
 * choose. Renders nothing without a conflict.
 */
export function ConflictNotice<Saved>({
  conflict,
  differencesFrom,
  onTakeSaved,
}: {
  conflict: EditConflict<Saved>;
  /** All fields, with their values in the form and in the saved record. */
  differencesFrom: (saved: Saved) => readonly Difference[];
  /** Fills the form with the saved record. */
  onTakeSaved: (saved: Saved) => void;
}) {
  const { saved, keepMine, takeSaved } = conflict;
  const take = (form: HTMLFormElement | null) => {
    const taken = takeSaved();
    // Updating all fields takes longer than the frame that removes the notice.
    afterPaint(() => {
      onTakeSaved(taken);
      // The notice disappears together with the pressed button.
      form?.querySelector<HTMLElement>(':read-write, select:enabled')?.focus();
    });
  };
  const keep = (form: HTMLFormElement | null) => {
    keepMine();
    // The notice disappears on sending: the form's own button, the last one, takes over.
    [...(form?.querySelectorAll<HTMLElement>('[type=submit]') ?? [])].at(-1)?.focus();
  };
  return saved && <Notice differences={differencesFrom(saved)} onKeepMine={keep} onTakeSaved={take} />;
}

function Notice({
  differences,
  onKeepMine,
  onTakeSaved,
}: {
  differences: readonly Difference[];
  onKeepMine: (form: HTMLFormElement | null) => void;
  onTakeSaved: (form: HTMLFormElement | null) => void;
}) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.focus();
    notice.current?.scrollIntoView({ block: 'start' });
  }, []);
  const changed = differences.filter((difference) => !isSame(difference));
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      color="orange"
      mb="md"
      icon={<IconGitCompare aria-hidden="true" />}
      title="Qualcuno ha modificato questi dati mentre li stavi cambiando"
    >
      Nulla è stato sovrascritto. Confronta le due versioni e scegli quale tenere.
      <table className={`${table.table} ${styles.versions}`} data-small>
        <thead>
          <tr>
            <th scope="col">Campo</th>
            <th scope="col">La tua versione</th>
            <th scope="col">Versione salvata</th>
          </tr>
        </thead>
        <tbody>
          {changed.map(({ field, mine, saved }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{mine || '—'}</td>
              <td>{saved || '—'}</td>
            </tr>
          ))}
          {changed.length === 0 && (
            <tr>
              <td colSpan={3}>Le due versioni sono uguali.</td>
            </tr>
          )}
        </tbody>
      </table>
      <Group mt="sm" gap="xs">
        <Button size="sm" variant="default" onClick={({ currentTarget }) => onTakeSaved(currentTarget.form)}>
          Usa la versione salvata
        </Button>
        <Button size="sm" type="submit" onClick={({ currentTarget }) => onKeepMine(currentTarget.form)}>
          Salva la mia versione
        </Button>
      </Group>
    </Alert>
  );
}
