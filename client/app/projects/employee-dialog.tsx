import { Button, SimpleGrid } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { AppForm } from '#client/ui/app-form.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/dialog-footer.tsx';
import { NativeSelect, TextInput } from '#client/ui/inputs.ts';
import { toast } from '#client/ui/toast.ts';
import {
  EMPLOYEE_DEFAULTS,
  EMPLOYEE_FAILURES,
  EMPLOYEE_LIMITS,
  EMPLOYEE_ROLES,
  EMPLOYEE_TEXTS,
  type Employee,
  employeeChangeSchema,
  employeeInputSchema,
} from '#contract/employees.ts';
import { conflictOf, useAddEmployee, useChangeEmployee } from './api.ts';
import { ConflictNotice, type Difference } from './conflict-notice.tsx';
import { worded } from './failures.ts';
import { errorsOf } from './form-errors.ts';

type Details = { role: string; department: string; email: string; phone: string };
type Names = { name: string; surname: string };

function detailsOf({ role, department, email, phone }: Employee): Details {
  return { role, department: department ?? '', email: email ?? '', phone: phone ?? '' };
}

function differencesOf(mine: { name: string } & Details, saved: Employee): Difference[] {
  const theirs = { name: saved.name, ...detailsOf(saved) };
  const labels = {
    name: 'Nome',
    role: 'Ruolo',
    department: 'Reparto',
    email: 'Email',
    phone: 'Telefono',
  } as const;
  return (Object.keys(labels) as (keyof typeof labels)[]).map((key) => ({
    field: labels[key],
    mine: mine[key],
    saved: theirs[key],
  }));
}

function DetailFields({
  form,
  withoutRole,
}: {
  form: Pick<UseFormReturnType<Details>, 'getInputProps'>;
  /** Whether 'Non specificato' may be kept, for people who came without a role. */
  withoutRole: boolean;
}) {
  return (
    <>
      <NativeSelect
        label="Ruolo"
        withAsterisk
        data={[
          ...(withoutRole ? [EMPLOYEE_DEFAULTS.role] : [{ value: '', label: 'Seleziona un ruolo' }]),
          ...EMPLOYEE_ROLES,
        ]}
        {...form.getInputProps('role')}
      />
      <TextInput
        label="Reparto"
        maxLength={EMPLOYEE_LIMITS.department}
        {...form.getInputProps('department')}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Telefono"
        type="tel"
        autoComplete="off"
        maxLength={EMPLOYEE_LIMITS.phone}
        {...form.getInputProps('phone')}
      />
    </>
  );
}

function Footer({ busy, label, onCancel }: { busy: boolean; label: string; onCancel: () => void }) {
  return (
    <DialogFooter>
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Annulla
      </Button>
      <Button type="submit" loading={busy}>
        {label}
      </Button>
    </DialogFooter>
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const add = useAddEmployee();
  const form = useForm<Names & Details>({
    initialValues: { name: '', surname: '', role: '', department: '', email: '', phone: '' },
    validate: (values) => errorsOf(employeeInputSchema.safeParse(values)),
  });
  return (
    <AppForm
      form={form}
      label="Aggiungi dipendente"
      onSubmit={async (values) => {
        const input = employeeInputSchema.safeParse(values);
        if (!input.success) return;
        try {
          await add.mutateAsync(input.data);
        } catch (error) {
          throw worded(error, EMPLOYEE_FAILURES.add);
        }
        toast({ title: EMPLOYEE_TEXTS.added });
        onClose();
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Nome"
          withAsterisk
          maxLength={EMPLOYEE_LIMITS.firstName}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Cognome"
          withAsterisk
          maxLength={EMPLOYEE_LIMITS.surname}
          {...form.getInputProps('surname')}
        />
        <DetailFields form={form} withoutRole={false} />
      </SimpleGrid>
      <Footer busy={add.isPending} label="Aggiungi" onCancel={onClose} />
    </AppForm>
  );
}

function EditForm({ employee, onClose }: { employee: Employee; onClose: () => void }) {
  const change = useChangeEmployee();
  const [version, setVersion] = useState(employee.version);
  const [saved, setSaved] = useState<Employee | null>(null);
  const form = useForm<{ name: string } & Details>({
    initialValues: { name: employee.name, ...detailsOf(employee) },
    validate: (values) => errorsOf(employeeChangeSchema.safeParse({ ...values, version })),
  });

  async function send(values: typeof form.values, from: number) {
    const input = employeeChangeSchema.safeParse({ ...values, version: from });
    if (!input.success) return;
    try {
      await change.mutateAsync({ ...input.data, id: employee.id });
      toast({ title: EMPLOYEE_TEXTS.updated });
      onClose();
    } catch (error) {
      const current = conflictOf(error)?.employee;
      if (!current) throw error;
      setSaved(current);
    }
  }

  return (
    <AppForm
      form={form}
      label="Modifica dipendente"
      record={employee.id}
      onSubmit={(values) => send(values, version)}
    >
      {saved && (
        <ConflictNotice
          differences={differencesOf(form.values, saved)}
          onTakeSaved={() => {
            form.setValues({ name: saved.name, ...detailsOf(saved) });
            setVersion(saved.version);
            setSaved(null);
          }}
          onKeepMine={() => {
            setVersion(saved.version);
            setSaved(null);
            void send(form.values, saved.version);
          }}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Nome e cognome"
          withAsterisk
          maxLength={160}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <DetailFields form={form} withoutRole={employee.role === EMPLOYEE_DEFAULTS.role} />
      </SimpleGrid>
      <Footer busy={change.isPending} label="Salva modifiche" onCancel={onClose} />
    </AppForm>
  );
}

/** Adds an employee outside a project, or edits `employee`. Closes itself once it is saved. */
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
    <Dialog
      opened={opened}
      onClose={onClose}
      title={employee ? `Modifica ${employee.name}` : 'Aggiungi dipendente'}
      size="lg"
      fullScreenOnPhone
      closeOnClickOutside={false}
    >
      {employee ? <EditForm employee={employee} onClose={onClose} /> : <AddForm onClose={onClose} />}
    </Dialog>
  );
}
