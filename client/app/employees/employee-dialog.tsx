import { Alert, SimpleGrid } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type Difference, takeOver, useEditConflict } from '#client/lib/edit-conflict.ts';
import { firstMessages } from '#client/lib/form-errors.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ConflictNotice } from '#client/ui/conflict-notice.tsx';
import { FormFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { NativeSelect, TextInput } from '#client/ui/inputs.tsx';
import {
  EMPLOYEE_DEFAULTS,
  EMPLOYEE_LIMITS,
  EMPLOYEE_ROLES,
  EMPLOYEE_TEXTS,
  type Employee,
  employeeChangeSchema,
  employeeInputSchema,
  employeeSchema,
} from '#contract/employees.ts';
import { MAX_EMAIL_LENGTH } from '#contract/lengths.ts';
import { useAddEmployee, useChangeEmployee } from './api.ts';
import { useNamesakes } from './use-known-people.ts';
import { EMPLOYEE_LABELS } from './words.ts';

type Details = { role: string; department: string; email: string; phone: string };
type Names = { name: string; surname: string };

function detailsOf({ role, department, email, phone }: Employee): Details {
  return { role, department: department ?? '', email: email ?? '', phone: phone ?? '' };
}

/** The field of the whole name, which somebody who is added has in two. */
const WHOLE_NAME = 'Nome e cognome';

function differencesOf(mine: { name: string } & Details, saved: Employee): Difference[] {
  const theirs = { name: saved.name, ...detailsOf(saved) };
  return (Object.keys(theirs) as (keyof typeof theirs)[]).map((key) => ({
    field: key === 'name' ? WHOLE_NAME : EMPLOYEE_LABELS[key],
    // As it is stored.
    mine: key === 'email' ? mine.email.toLowerCase() : mine[key],
    saved: theirs[key],
  }));
}

function DetailFields({
  form,
  withoutRole,
}: {
  form: Pick<UseFormReturnType<Details>, 'getInputProps'>;
  /** Whether 'Non specificato' may be kept, for people imported without a role. */
  withoutRole: boolean;
}) {
  return (
    <>
      <NativeSelect
        label={EMPLOYEE_LABELS.role}
        required
        data={[
          ...(withoutRole ? [EMPLOYEE_DEFAULTS.role] : [{ value: '', label: 'Seleziona un ruolo' }]),
          ...EMPLOYEE_ROLES,
        ]}
        {...form.getInputProps('role')}
      />
      <TextInput
        label={EMPLOYEE_LABELS.department}
        maxLength={EMPLOYEE_LIMITS.department}
        {...form.getInputProps('department')}
      />
      <TextInput
        label={EMPLOYEE_LABELS.email}
        type="email"
        autoComplete="off"
        maxLength={MAX_EMAIL_LENGTH}
        {...form.getInputProps('email')}
      />
      <TextInput
        label={EMPLOYEE_LABELS.phone}
        type="tel"
        autoComplete="off"
        maxLength={EMPLOYEE_LIMITS.phone}
        {...form.getInputProps('phone')}
      />
    </>
  );
}

/** Says that an employee has this name already: it may be another person, so that is no error. */
function NamesakeNote({ names, sent }: { names: Names; sent: boolean }) {
  const [known] = useNamesakes([names], { sent });
  return (
    <div role="status">
      {known && (
        <Alert color="orange" mt="md">
          Nel team c’è già chi si chiama così. Se è un’altra persona, puoi aggiungerla lo stesso.
        </Alert>
      )}
    </div>
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const add = useAddEmployee();
  const form = useForm<Names & Details>({
    initialValues: { name: '', surname: '', role: '', department: '', email: '', phone: '' },
    validate: (values) => firstMessages(employeeInputSchema.safeParse(values)),
  });
  return (
    <AppForm
      form={form}
      label="Aggiungi dipendente"
      onSubmit={async (values) => {
        const input = employeeInputSchema.safeParse(values);
        if (!input.success) return;
        await add.mutateAsync(input.data);
        toast({ title: EMPLOYEE_TEXTS.added });
        onClose();
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={EMPLOYEE_LABELS.name}
          required
          maxLength={EMPLOYEE_LIMITS.firstName}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={EMPLOYEE_LABELS.surname}
          required
          maxLength={EMPLOYEE_LIMITS.surname}
          {...form.getInputProps('surname')}
        />
        <DetailFields form={form} withoutRole={false} />
      </SimpleGrid>
      <NamesakeNote names={form.values} sent={add.isPending || add.isSuccess} />
      <FormFooter busy={add.isPending} label="Aggiungi" onCancel={onClose} />
    </AppForm>
  );
}

function EditForm({ employee, onClose }: { employee: Employee; onClose: () => void }) {
  const change = useChangeEmployee();
  const conflict = useEditConflict(employee, employeeSchema);
  const form = useForm<{ name: string } & Details>({
    initialValues: { name: employee.name, ...detailsOf(employee) },
    validate: (values) =>
      firstMessages(employeeChangeSchema.safeParse({ ...values, version: employee.version })),
  });

  async function send(values: typeof form.values) {
    const isSaved = await conflict.send(
      ({ version }) =>
        change.mutateAsync({ ...employeeChangeSchema.parse({ ...values, version }), id: employee.id }),
      (saved) => differencesOf(values, saved),
    );
    if (!isSaved) return;
    toast({ title: EMPLOYEE_TEXTS.updated });
    onClose();
  }

  return (
    <AppForm form={form} label="Modifica dipendente" record={employee.id} onSubmit={send}>
      <ConflictNotice
        conflict={conflict}
        differencesFrom={(saved) => differencesOf(form.values, saved)}
        onTakeSaved={(saved) => takeOver(form, { name: saved.name, ...detailsOf(saved) })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={WHOLE_NAME}
          required
          maxLength={EMPLOYEE_LIMITS.name}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DetailFields form={form} withoutRole={employee.role === EMPLOYEE_DEFAULTS.role} />
      </SimpleGrid>
      <FormFooter busy={change.isPending} label="Salva modifiche" onCancel={onClose} />
    </AppForm>
  );
}

/** Adds an employee outside a project, or edits `employee`. Closes itself after saving. */
export function EmployeeDialog({
  employee,
  opened,
  onClose,
}: {
  employee: Employee | undefined;
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={employee ? `Modifica ${employee.name}` : 'Aggiungi dipendente'}
      size="lg"
      fullScreenOnPhone
    >
      {employee ? <EditForm employee={employee} onClose={onClose} /> : <AddForm onClose={onClose} />}
    </FormDialog>
  );
}
