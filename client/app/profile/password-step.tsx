import { Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { AppForm } from '#client/ui/app-form.tsx';
import { FormButtons } from '#client/ui/form-buttons.tsx';
import { TextInput } from '#client/ui/inputs.tsx';
import { PasswordInput } from '#client/ui/password-input.tsx';
import { reauthenticationSchema } from '#contract/accounts.ts';
import { type BothFactors, bothFactorsSchema } from '#contract/two-factor.ts';
import { useLacksPassword } from './api.ts';
import { PasswordMissing } from './password-link.tsx';

type StepProps<Proof> = {
  children?: ReactNode;
  /** Text of the button. */
  label: string;
  destructive?: boolean;
  onConfirm: (proof: Proof) => Promise<unknown>;
  onCancel: () => void;
};

/** Asks for the password again before a sensitive change, or says how to get one. */
export function PasswordStep(step: StepProps<string>) {
  return useLacksPassword() ? <PasswordMissing onCancel={step.onCancel} /> : <PasswordForm {...step} />;
}

/** A wrong password is reported at the field. */
function PasswordForm({ children, onConfirm, ...buttons }: StepProps<string>) {
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(reauthenticationSchema, { sync: true }),
  });
  return (
    <AppForm form={form} onSubmit={({ password }) => onConfirm(password)} label="Conferma con la password">
      <Stack>
        {children}
        <PasswordField {...form.getInputProps('password')} />
        <FormButtons {...buttons} busy={form.submitting} />
      </Stack>
    </AppForm>
  );
}

/** Asks for the password and a code of the second factor; a wrong one is reported at its field. */
export function BothFactorsStep({ children, onConfirm, ...buttons }: StepProps<BothFactors>) {
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: schemaResolver(bothFactorsSchema, { sync: true }),
  });
  return (
    <AppForm form={form} onSubmit={onConfirm} label="Conferma con la password e un codice">
      <Stack>
        {children}
        <PasswordField {...form.getInputProps('password')} />
        <CodeField {...form.getInputProps('code')} />
        <FormButtons {...buttons} busy={form.submitting} />
      </Stack>
    </AppForm>
  );
}

/** An authenticator or recovery code. */
export function CodeField(props: object) {
  return (
    <TextInput
      label="Codice"
      description="Le 6 cifre dell’app. Se non hai il telefono, scrivi uno dei codici di recupero."
      required
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={20}
      {...props}
    />
  );
}

function PasswordField(props: object) {
  return (
    <PasswordInput
      label="La tua password"
      required
      data-autofocus
      autoComplete="current-password"
      {...props}
    />
  );
}
