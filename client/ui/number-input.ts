import { NumberInput as MantineNumberInput, type NumberInputProps } from '@mantine/core';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/**
 * Mantine's field for numbers, for forms of several; apart from the other fields, since few pages need its weight.
 * Whether a number has to be whole is the schema's to say: without decimals the field would drop the separator and keep the
 * figures, so that 85,50 became 8550. Its `inputMode` is its own.
 */
export const NumberInput =
  memoWithStableHandlers<Omit<NumberInputProps, 'allowDecimal' | 'inputMode'>>(MantineNumberInput);
