import type { TextInputProps } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { TextInput } from './inputs.tsx';

/**
 * A password field whose content can be revealed. Mantine's own acts when the pointer goes down, not on a click, and
 * does not tell a screen reader that it is invalid.
 * @param toggleLabel names the button whose pressed state says whether the password is shown
 */
export function PasswordInput({
  toggleLabel = 'Mostra la password',
  ...field
}: Omit<TextInputProps, 'type' | 'rightSection'> & { toggleLabel?: string }) {
  const [shown, setShown] = useState(false);
  const Eye = shown ? IconEyeOff : IconEye;
  return (
    <TextInput
      {...field}
      type={shown ? 'text' : 'password'}
      rightSection={
        <IconButton
          aria-label={toggleLabel}
          aria-pressed={shown}
          disabled={field.disabled}
          onClick={() => setShown(!shown)}
        >
          <Eye size={20} stroke={1.75} aria-hidden="true" />
        </IconButton>
      }
    />
  );
}
