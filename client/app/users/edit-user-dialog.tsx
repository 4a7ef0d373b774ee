import { Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { changedFields } from '#client/lib/changed-fields.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { FormButtons } from '#client/ui/form-buttons.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { TextInput } from '#client/ui/inputs.ts';
import { toast } from '#client/ui/toast.ts';
import { type User, userNamesSchema } from '#contract/users.ts';
import { useChangeUser } from './api.ts';

/** Corrects the name and company of somebody's account. The e-mail cannot be changed (spec §5). */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { mutateAsync } = useChangeUser();
  const form = useForm({
    initialValues: { fullName: user.fullName, companyName: user.companyName ?? '' },
    validate: schemaResolver(userNamesSchema, { sync: true }),
  });

  async function send(names: typeof form.values) {
    await mutateAsync({ id: user.id, ...changedFields(form.getInitialValues(), names) });
    toast({ title: `Dati di ${names.fullName.trim()} aggiornati` });
    onClose();
  }

  return (
    <FormDialog opened onClose={onClose} title="Modifica utente">
      <AppForm form={form} onSubmit={send} label="Modifica utente" record={user.id}>
        <Stack>
          <TextInput
            label="Email"
            value={user.email}
            readOnly
            variant="filled"
            description="L’indirizzo email non si può modificare."
          />
          <TextInput
            label="Nome completo"
            required
            autoComplete="off"
            maxLength={120}
            data-autofocus
            {...form.getInputProps('fullName')}
          />
          <TextInput
            label="Azienda"
            autoComplete="off"
            maxLength={120}
            {...form.getInputProps('companyName')}
          />
          <FormButtons busy={form.submitting} label="Salva" onCancel={onClose} />
        </Stack>
      </AppForm>
    </FormDialog>
  );
}
