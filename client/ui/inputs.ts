import {
  NativeSelect as MantineNativeSelect,
  Textarea as MantineTextarea,
  TextInput as MantineTextInput,
  type NativeSelectProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { steady } from './steady.tsx';

/** Mantine's fields, for forms of several. */
export const TextInput = steady<TextInputProps>(MantineTextInput);
export const Textarea = steady<TextareaProps>(MantineTextarea);
export const NativeSelect = steady<NativeSelectProps>(MantineNativeSelect);
