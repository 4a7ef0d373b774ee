import { TextInput, type TextInputProps } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { IconCurrencyEuro } from '@tabler/icons-react';
import { useState } from 'react';
import { formatEuro, hasWholeCents, parseEuro } from '#contract/money.ts';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** What a stored value looks like in the field: '12.480,50', without the sign that stands beside it. */
function shown(value: number | string): string {
  if (typeof value !== 'number') return value;
  // Rounded, it would look like an amount that the form's schema takes.
  return hasWholeCents(value) ? formatEuro(value).replace(/^€\s*/, '') : String(value).replace('.', ',');
}

/**
 * An amount in euro, typed as an Italian writes it ('1.234,56' or '1234,5'). The value is a number, '' when empty, and
 * the typed text as it is when it is no amount, so that nothing typed is lost and the form's schema can refuse it.
 * Works with `form.getInputProps()` of either mode.
 */
export const EuroField = memoWithStableHandlers(function EuroField({
  value,
  defaultValue,
  onChange,
  onBlur,
  ...field
}: Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  value?: number | string;
  defaultValue?: number | string;
  onChange?: (value: number | string) => void;
}) {
  const [amount, setAmount] = useUncontrolled({ value, defaultValue, finalValue: '', onChange });
  /** What is being typed; null shows the value. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      placeholder="0,00"
      inputMode="decimal"
      autoComplete="off"
      leftSection={<IconCurrencyEuro size={20} stroke={1.75} aria-hidden="true" />}
      {...field}
      value={typed ?? shown(amount)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setAmount(parseEuro(text) ?? text.trim());
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
});
