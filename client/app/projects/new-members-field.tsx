import { Button, Text } from '@mantine/core';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { type ClipboardEvent, useEffect, useId, useRef } from 'react';
import { useNamesakes } from '#client/app/employees/use-known-people.ts';
import { afterPaint } from '#client/lib/after-paint.ts';
import { loadInBackground, NOT_LOADED } from '#client/lib/background-code.ts';
import { toast } from '#client/lib/toast.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { NativeSelect, TextInput } from '#client/ui/inputs.tsx';
import { EMPLOYEE_LIMITS, EMPLOYEE_ROLES, type NewMember } from '#contract/employees.ts';
import { PROJECT_LIMITS, PROJECT_TEXTS } from '#contract/projects.ts';
import styles from './new-members-field.module.css';
import { isIncomplete, isStarted, type ProjectForm } from './project-form.ts';

const ROLES = [{ value: '', label: 'Seleziona un ruolo' }, ...EMPLOYEE_ROLES];

/** Adds a row for each person of a pasted table, which a field of one line would run into a single name. */
async function addPasted(form: ProjectForm, table: string): Promise<void> {
  const code = await loadInBackground(() => import('#client/app/employees/crew-list.ts'));
  if (!code) return void toast({ ...NOT_LOADED, kind: 'error' });
  const { rows, problem } = code.readCrewList(table);
  const added = code.membersOf(rows);
  const tooMany =
    form.values.newEmployees.filter(isStarted).length + added.length > PROJECT_LIMITS.newMembers;
  const refusal = problem ?? (tooMany ? PROJECT_TEXTS.tooManyNew : null);
  if (refusal) return void toast({ title: refusal, kind: 'error' });
  form.setFieldValue('newEmployees', (members) => [...members.filter(isStarted), ...added]);
  if (rows.some(({ values: { department, email, phone } }) => department || email || phone))
    toast({
      title: 'Reparto, email e telefono non si aggiungono da qui',
      message: 'Per tenerli, importa l’elenco dalla scheda Team.',
    });
}

/** The fields of a new employee. */
function MemberRow({
  form,
  member,
  index,
  known,
  onRemove,
}: {
  form: ProjectForm;
  member: NewMember;
  /** Its index in the form's list. */
  index: number;
  /** Whether an employee has this name already. */
  known: boolean;
  onRemove: () => void;
}) {
  const hintId = useId();
  const number = index + 1;
  const hints = [
    isIncomplete(member) && 'Servono nome, cognome e ruolo: altrimenti questa persona non viene aggiunta.',
    known &&
      'Nel team c’è già chi si chiama così: se è la stessa persona, sceglila fra i dipendenti esistenti.',
  ].filter((hint) => hint !== false);
  return (
    <fieldset
      className={styles.member}
      aria-label={`Nuovo dipendente ${number}`}
      aria-describedby={hints.length > 0 ? hintId : undefined}
    >
      <TextInput
        label="Nome"
        maxLength={EMPLOYEE_LIMITS.firstName}
        {...form.getInputProps(`newEmployees.${index}.name`)}
      />
      <TextInput
        label="Cognome"
        maxLength={EMPLOYEE_LIMITS.surname}
        {...form.getInputProps(`newEmployees.${index}.surname`)}
      />
      <NativeSelect label="Ruolo" data={ROLES} {...form.getInputProps(`newEmployees.${index}.role`)} />
      <IconButton
        tone="danger"
        size="large"
        className={styles.remove}
        aria-label={`Rimuovi nuovo dipendente ${number}`}
        onClick={onRemove}
      >
        <IconTrash size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
      {hints.length > 0 && (
        <Text id={hintId} size="sm" c="orange" className={styles.hint}>
          {hints.join(' ')}
        </Text>
      )}
    </fieldset>
  );
}

/**
 * New employees to create with the project, one row each.
 * @param sent whether the form is being saved, or was
 */
export function NewMembersField({ form, sent }: { form: ProjectForm; sent: boolean }) {
  const group = useRef<HTMLFieldSetElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const added = useRef(false);
  const known = useNamesakes(form.values.newEmployees, { sent });
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    // The new row precedes the button in tab order, and moves it out of view. Without `:scope` the group itself would
    // match, and with it the first row.
    group.current?.querySelector<HTMLElement>(':scope > fieldset:last-of-type input')?.focus();
  });
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    void addPasted(form, text);
  }
  return (
    <fieldset ref={group} className={styles.group} onPaste={paste}>
      <legend className={styles.legend}>Aggiungi nuovi dipendenti</legend>
      {form.values.newEmployees.map((member, index) => (
        <MemberRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the form's list, which is addressed by index
          key={index}
          form={form}
          member={member}
          index={index}
          known={known[index] ?? false}
          onRemove={() => {
            form.removeListItem('newEmployees', index);
            add.current?.focus();
          }}
        />
      ))}
      <Button
        ref={add}
        variant="default"
        leftSection={<IconUserPlus size={18} aria-hidden="true" />}
        onClick={() => {
          // No row may be one too many, not even a blank one: the form is sent with them all.
          if (form.values.newEmployees.length >= PROJECT_LIMITS.newMembers)
            return void toast({ title: PROJECT_TEXTS.tooManyNew, kind: 'error' });
          afterPaint(() => {
            added.current = true;
            form.insertListItem('newEmployees', { name: '', surname: '', role: '' });
          });
        }}
      >
        Aggiungi dipendente
      </Button>
      <Text size="sm" c="dimmed">
        Hai già un elenco? Incolla nel campo Nome le righe del foglio di calcolo: Nome, Cognome, Ruolo.
      </Text>
    </fieldset>
  );
}
