import { NumberInput as MantineNumberInput, type NumberInputProps } from '@mantine/core';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** Mantine's field for numbers, for forms of several; apart from the other fields, since few pages need its weight. */
export const NumberInput = memoWithStableHandlers<NumberInputProps>(MantineNumberInput);
