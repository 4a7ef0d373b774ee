import {
  NativeSelect as MantineNativeSelect,
  Textarea as MantineTextarea,
  TextInput as MantineTextInput,
  type NativeSelectProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** Mantine's inputs, memoized for forms with several. */
export const TextInput = memoWithStableHandlers<TextInputProps>(MantineTextInput);
export const Textarea = memoWithStableHandlers<TextareaProps>(MantineTextarea);
export const NativeSelect = memoWithStableHandlers<NativeSelectProps>(MantineNativeSelect);
