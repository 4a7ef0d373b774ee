import { Button, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { Panel } from '#client/ui/panel.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { PASSWORD_LENGTH } from '#contract/account-texts.ts';
import { passwordChangeSchema, withConfirmation } from '#contract/accounts.ts';
import { z } from '#contract/validation.ts';
import { useChangePassword, useLacksPassword } from './api.ts';
import { SendPasswordLink } from './password-link.tsx';

/** A separate schema, so that it is checked while the other fields are still invalid. */
const confirmationSchema = withConfirmation(z.object({ password: z.string(), confirmation: z.string() }));

/**
 * Changes the password, or lets an account without one choose it with a mailed link. A session alone must not suffice:
 * somebody who finds a signed-in device could take over the account.
 */
export function PasswordPanel() {
  return <Panel title="Password">{useLacksPassword() ? <PasswordLink /> : <PasswordChange />}</Panel>;
}

function PasswordLink() {
  return (
    <Stack>
      <Text>
        Non hai una password: entri con un codice via email. Se ne vuoi una, ti mandiamo un collegamento per
        sceglierla; poi accedi di nuovo su ogni dispositivo.
      </Text>
      <div>
        <SendPasswordLink />
      </div>
    </Stack>
  );
}

/** Changes the password; all other sessions end. */
function PasswordChange() {
  const { email } = useMe();
  const { mutateAsync } = useChangePassword();
  const form = useForm({
    initialValues: { currentPassword: '', password: '', confirmation: '' },
    validate: ({ confirmation, ...change }) => ({
      ...schemaResolver(confirmationSchema, { sync: true })({ password: change.password, confirmation }),
      ...schemaResolver(passwordChangeSchema, { sync: true })(change),
    }),
  });

  async function send({ currentPassword, password }: typeof form.values) {
    await mutateAsync({ currentPassword, password });
    form.reset();
    toast({
      title: 'Password aggiornata',
      message: 'Gli altri dispositivi collegati al tuo account sono stati disconnessi.',
    });
  }

  return (
    <AppForm form={form} onSubmit={send} label="Cambio della password">
      <Stack>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Password attuale"
          toggleLabel="Mostra la password attuale"
          required
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label="Nuova password"
          toggleLabel="Mostra la nuova password"
          required
          autoComplete="new-password"
          description={`Almeno ${PASSWORD_LENGTH.min} caratteri.`}
          maxLength={PASSWORD_LENGTH.max}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label="Conferma nuova password"
          toggleLabel="Mostra la conferma"
          required
          autoComplete="new-password"
          maxLength={PASSWORD_LENGTH.max}
          {...form.getInputProps('confirmation')}
        />
        <div>
          <Button type="submit" loading={form.submitting}>
            Cambia password
          </Button>
        </div>
      </Stack>
    </AppForm>
  );
}
