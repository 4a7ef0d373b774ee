import { Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { changedFields } from '#client/lib/changed-fields.ts';
import { takeOver, useEditConflict } from '#client/lib/edit-conflict.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ConflictNotice } from '#client/ui/conflict-notice.tsx';
import { FormButtons } from '#client/ui/form-buttons.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { type User, userNamesSchema, userSchema } from '#contract/users.ts';
import { type NameValues, nameDifferences, nameValuesOf } from './account-names.ts';
import { useChangeUser } from './api.ts';
import { FixedEmail, NameFields } from './name-fields.tsx';

/** Corrects the name and company of somebody's account. The e-mail cannot be changed (spec §5). */
export function EditUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { mutateAsync } = useChangeUser();
  const conflict = useEditConflict(user, userSchema);
  const form = useForm<NameValues>({
    initialValues: nameValuesOf(user),
    validate: schemaResolver(userNamesSchema, { sync: true }),
  });

  async function send(names: typeof form.values) {
    const isSaved = await conflict.send(
      (from) =>
        mutateAsync({
          id: user.id,
          ...changedFields(nameValuesOf(from), names),
          from: { fullName: from.fullName, companyName: from.companyName },
        }),
      (saved) => nameDifferences(names, saved),
    );
    if (!isSaved) return;
    toast({ title: `Dati di ${names.fullName.trim()} aggiornati` });
    onClose();
  }

  return (
    <FormDialog opened onClose={onClose} title="Modifica utente">
      <AppForm form={form} onSubmit={send} label="Modifica utente" record={user.id}>
        <ConflictNotice
          conflict={conflict}
          differencesFrom={(saved) => nameDifferences(form.values, saved)}
          onTakeSaved={(saved) => takeOver(form, nameValuesOf(saved))}
        />
        <Stack>
          <FixedEmail email={user.email} />
          <NameFields form={form} autoFocus />
          <FormButtons busy={form.submitting} label="Salva modifiche" onCancel={onClose} />
        </Stack>
      </AppForm>
    </FormDialog>
  );
}
