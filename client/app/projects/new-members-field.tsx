import { Button, Text } from '@mantine/core';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { NativeSelect, TextInput } from '#client/ui/inputs.ts';
import { EMPLOYEE_LIMITS, EMPLOYEE_ROLES, isCompleteMember } from '#contract/employees.ts';
import styles from './new-members-field.module.css';
import type { ProjectForm } from './project-form.ts';

const ROLES = [{ value: '', label: 'Seleziona un ruolo' }, ...EMPLOYEE_ROLES];

/** New employees to create with the project, one row each. */
export function NewMembersField({ form }: { form: ProjectForm }) {
  const group = useRef<HTMLFieldSetElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    // The new row precedes the button in tab order, and moves it out of view.
    group.current?.querySelector<HTMLElement>('fieldset:last-of-type input')?.focus();
  });
  return (
    <fieldset ref={group} className={styles.group}>
      <legend className={styles.legend}>Aggiungi nuovi dipendenti</legend>
      {form.values.newEmployees.map((member, index) => {
        const number = index + 1;
        const started = member.name.trim() !== '' || member.surname.trim() !== '' || member.role !== '';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the form's list, which is addressed by index
          <fieldset key={index} className={styles.member} aria-label={`Nuovo dipendente ${number}`}>
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
              onClick={() => {
                form.removeListItem('newEmployees', index);
                add.current?.focus();
              }}
            >
              <IconTrash size={20} stroke={1.75} aria-hidden="true" />
            </IconButton>
            {started && !isCompleteMember(member) && (
              <Text size="sm" c="orange" className={styles.hint}>
                Servono nome, cognome e ruolo: altrimenti questa persona non viene aggiunta.
              </Text>
            )}
          </fieldset>
        );
      })}
      <Button
        ref={add}
        variant="default"
        leftSection={<IconUserPlus size={18} aria-hidden="true" />}
        onClick={() => {
          afterPaint(() => {
            added.current = true;
            form.insertListItem('newEmployees', { name: '', surname: '', role: '' });
          });
        }}
      >
        Aggiungi dipendente
      </Button>
    </fieldset>
  );
}
