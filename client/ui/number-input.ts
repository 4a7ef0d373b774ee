import { NumberInput as MantineNumberInput, type NumberInputProps } from '@mantine/core';
import { steady } from './steady.tsx';

/** Mantine's field for numbers, for forms of several; apart from the other fields, since few pages need its weight. */
export const NumberInput = steady<NumberInputProps>(MantineNumberInput);
