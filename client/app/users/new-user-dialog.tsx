import { Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { FormFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { NativeSelect, TextInput } from '#client/ui/inputs.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import type { Role } from '#contract/accounts.ts';
import { MAX_EMAIL_LENGTH } from '#contract/lengths.ts';
import { newUserSchema, ROLE_LABELS, USERS_TEXTS } from '#contract/users.ts';
import { useCreateUser } from './api.ts';
import { NameFields } from './name-fields.tsx';
import { SEND_RECOVERY } from './user-actions.tsx';

/** 'Nuovo Utente' (spec §2, §5): everything except the company is required. */
export function NewUserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Crea nuovo utente">
      <NewUserForm onClose={onClose} />
    </FormDialog>
  );
}

function NewUserForm({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useCreateUser();
  const form = useForm<{
    email: string;
    password: string;
    fullName: string;
    companyName: string;
    role: Role;
  }>({
    initialValues: { email: '', password: '', fullName: '', companyName: '', role: 'user' },
    validate: schemaResolver(newUserSchema, { sync: true }),
  });

  async function send(values: typeof form.values) {
    const user = await mutateAsync(values);
    toast({
      title: USERS_TEXTS.created(user.fullName),
      message: `Se vuoi che scelga la sua password: Azioni, «${SEND_RECOVERY}».`,
    });
    onClose();
  }

  return (
    <AppForm form={form} onSubmit={send} label="Crea nuovo utente">
      <Stack>
        <TextInput
          label="Email"
          type="email"
          required
          autoComplete="off"
          maxLength={MAX_EMAIL_LENGTH}
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          required
          autoComplete="new-password"
          description={`Almeno ${PASSWORD_LENGTH.min} caratteri. Comunicala tu a questa persona: noi non le scriviamo.`}
          maxLength={PASSWORD_LENGTH.max}
          {...form.getInputProps('password')}
        />
        <NameFields form={form} />
        <NativeSelect
          label="Ruolo"
          data={[
            { value: 'user', label: ROLE_LABELS.user },
            { value: 'admin', label: ROLE_LABELS.admin },
          ]}
          {...form.getInputProps('role')}
        />
        <FormFooter busy={form.submitting} label="Crea utente" onCancel={onClose} />
      </Stack>
    </AppForm>
  );
}
