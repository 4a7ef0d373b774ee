import { NumberInput as MantineNumberInput, type NumberInputProps } from '@mantine/core';
import { useRef } from 'react';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/**
 * What the field makes of '1.200' while it takes the point for the decimal one, and of the next group after it: '1200.000'.
 * A longer number would lose figures.
 */
const LAST_GROUP = /^-?[1-9]\d{0,11}\.\d{3}$/;

/**
 * Mantine's field for whole numbers, for forms of several; apart from the other fields, since few pages need its weight.
 * Whether a number is whole is the schema's to say: without decimals the field would drop the separator and keep the
 * figures, so that 85,50 became 8550. Its `inputMode` is its own.
 * @param thousandSeparator typed before three digits it means thousands; Mantine hears a decimal separator in either mark
 */
export const NumberInput = memoWithStableHandlers(function NumberInput({
  thousandSeparator,
  onChange,
  ...field
}: Omit<
  NumberInputProps,
  'allowDecimal' | 'inputMode' | 'onInput' | 'onPaste' | 'onChange' | 'thousandSeparator'
> & {
  thousandSeparator: '.' | ',';
  onChange?: (value: number | string) => void;
}) {
  /** The separator that was typed last. */
  const typed = useRef<string | null>(null);
  return (
    <MantineNumberInput
      {...field}
      thousandSeparator={thousandSeparator}
      onInput={({ nativeEvent }) => {
        const text = nativeEvent instanceof InputEvent ? nativeEvent.data : null;
        typed.current = /[.,]/.exec(text ?? '')?.[0] ?? typed.current;
      }}
      onPaste={() => {
        typed.current = null;
      }}
      onChange={(value) => {
        const isGrouped = typed.current === thousandSeparator && LAST_GROUP.test(String(value));
        onChange?.(isGrouped ? Number(String(value).replace('.', '')) : (value as number | string));
      }}
    />
  );
});
