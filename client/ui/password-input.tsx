import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';
import { requiredByAria } from './required.ts';

/** Mantine's password field, which shows an error but does not tell a screen reader that it is invalid. */
export function PasswordInput(field: PasswordInputProps) {
  return <MantinePasswordInput {...requiredByAria(field)} aria-invalid={Boolean(field.error) || undefined} />;
}
