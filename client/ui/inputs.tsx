import {
  NativeSelect as MantineNativeSelect,
  Textarea as MantineTextarea,
  TextInput as MantineTextInput,
  type NativeSelectProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { requiredByAria } from './required.ts';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** Mantine's inputs, memoized for forms with several. */
export const TextInput = memoWithStableHandlers(function TextInput(field: TextInputProps) {
  return <MantineTextInput {...requiredByAria(field)} />;
});
export const Textarea = memoWithStableHandlers(function Textarea(field: TextareaProps) {
  return <MantineTextarea {...requiredByAria(field)} />;
});
export const NativeSelect = memoWithStableHandlers(function NativeSelect(field: NativeSelectProps) {
  return <MantineNativeSelect {...requiredByAria(field)} />;
});
