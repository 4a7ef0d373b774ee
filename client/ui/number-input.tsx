import { NumberInput as MantineNumberInput, type NumberInputProps } from '@mantine/core';
import { useRef } from 'react';
import { requiredByAria } from './required.ts';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/**
 * What the field makes of '1.200' while it takes the dot for a decimal separator, or of the next group after it:
 * '1200.000'. Longer numbers would lose digits.
 */
const LAST_GROUP = /^-?[1-9]\d{0,11}\.\d{3}$/;

/**
 * Mantine's field for whole numbers, memoized for forms with several; in its own file, because few pages need its size.
 * The schema checks that a number is whole: with `allowDecimal={false}` the field would drop the separator and turn
 * 85,50 into 8550. It sets its own `inputMode`.
 * @param thousandSeparator means thousands before three digits; Mantine accepts both marks as decimal separators
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
  /** The last separator that was typed. */
  const typed = useRef<string | null>(null);
  return (
    <MantineNumberInput
      {...requiredByAria(field)}
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
