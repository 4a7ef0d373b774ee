import {
  NativeSelect as MantineNativeSelect,
  NumberInput as MantineNumberInput,
  PasswordInput as MantinePasswordInput,
  Textarea as MantineTextarea,
  TextInput as MantineTextInput,
  type NativeSelectProps,
  type NumberInputProps,
  type PasswordInputProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { steady } from './steady.tsx';

/** Mantine's fields, for forms of several. */
export const TextInput = steady<TextInputProps>(MantineTextInput);
export const Textarea = steady<TextareaProps>(MantineTextarea);
export const NativeSelect = steady<NativeSelectProps>(MantineNativeSelect);
export const NumberInput = steady<NumberInputProps>(MantineNumberInput);
export const PasswordInput = steady<PasswordInputProps>(MantinePasswordInput);
