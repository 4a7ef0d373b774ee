import { TextInput, type TextInputProps } from '@mantine/core';
import { IconCurrencyEuro } from '@tabler/icons-react';
import { useState } from 'react';
import { formatEuro, hasWholeCents, parseEuro } from '#contract/money.ts';
import { requiredByAria } from './required.ts';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** Formats a stored value for the field: '12.480,50', without the currency sign beside it. */
function shown(value: number | string): string {
  if (typeof value !== 'number') return value;
  // Not rounded, so that it does not look like an amount that the schema accepts.
  return hasWholeCents(value) ? formatEuro(value).replace(/^€\s*/, '') : String(value).replace('.', ',');
}

/**
 * An amount in euro in Italian notation ('1.234,56' or '1234,5'). The value is a number, '' when empty, and otherwise
 * the text as typed, so that no input is lost and the form's schema can reject it.
 * Works with `form.getInputProps()`.
 */
export const EuroField = memoWithStableHandlers(function EuroField({
  value = '',
  onChange,
  onBlur,
  ...field
}: Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  value?: number | string;
  onChange?: (value: number | string) => void;
}) {
  /** The text being typed; null to show the value. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      placeholder="0,00"
      inputMode="decimal"
      autoComplete="off"
      leftSection={<IconCurrencyEuro size={20} stroke={1.75} aria-hidden="true" />}
      {...requiredByAria(field)}
      value={typed ?? shown(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        onChange?.(parseEuro(text) ?? text.trim());
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
});
