import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { AppForm } from '#client/ui/app-form.tsx';
import { reauthenticationSchema } from '#contract/accounts.ts';

/** Asks for the password again before a sensitive change; a wrong one is told next to the field. */
export function PasswordStep({
  children,
  label,
  destructive = false,
  onConfirm,
  onCancel,
}: {
  children?: ReactNode;
  /** Text of the button. */
  label: string;
  destructive?: boolean;
  onConfirm: (password: string) => Promise<unknown>;
  onCancel: () => void;
}) {
  const form = useForm({
    initialValues: { password: '' },
    validate: schemaResolver(reauthenticationSchema, { sync: true }),
  });
  return (
    <AppForm form={form} onSubmit={({ password }) => onConfirm(password)} label="Conferma con la password">
      <Stack>
        {children}
        <PasswordInput
          label="La tua password"
          required
          data-autofocus
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={form.submitting}>
            Annulla
          </Button>
          <Button type="submit" loading={form.submitting} color={destructive ? 'red' : undefined}>
            {label}
          </Button>
        </Group>
      </Stack>
    </AppForm>
  );
}
