import { Popover, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { startTransition, useRef, useState } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { usePostponed } from '#client/lib/use-postponed.ts';
import { dateWords } from '#client/lib/words.ts';
import { isCalendarDate, parseItalianDate } from '#contract/dates.ts';
import type { CalendarLanguage } from './calendar.tsx';
import { IconButton } from './icon-button.tsx';
import { late } from './late.tsx';
import { requiredByAria } from './required.ts';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** A two-digit year is only interpreted once the field is left, because it may be the start of a longer one. */
const ENDS_IN_YEAR = /(?:^\s*\d{4}|[/.-])\d{4}\s*$/;

const Calendar = late(() => import('./calendar.tsx'));

const WORDS = {
  it: { placeholder: 'gg/mm/aaaa', choose: 'Seleziona data' },
  en: { placeholder: 'dd/mm/yyyy', choose: 'Choose a date' },
} as const;

/**
 * A date, typed as dd/mm/yyyy or any format that `parseItalianDate` accepts, or picked from a calendar. The value is
 * yyyy-mm-dd, '' when empty, and otherwise the text as typed, so that no input is lost and `calendarDateSchema` can
 * report what is wrong.
 * Works with `form.getInputProps()`.
 */
export const DateField = memoWithStableHandlers(function DateField({
  value = '',
  onChange,
  onBlur,
  minDate,
  maxDate,
  language = 'it',
  ...field
}: Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type'> & {
  value?: string;
  onChange?: (value: string) => void;
  /** First and last day that the calendar offers, yyyy-mm-dd. Typed dates are checked by the form's own rules. */
  minDate?: string;
  maxDate?: string;
  language?: CalendarLanguage;
}) {
  /** The text being typed; null to show the value. */
  const [typed, setTyped] = useState<string | null>(null);
  const [picking, setPicking] = useState(false);
  /** The form that a day is chosen in takes longer than a frame to render, and the calendar to close. */
  const choosing = usePostponed();
  const input = useRef<HTMLInputElement>(null);
  const { placeholder, choose } = WORDS[language];

  function finish() {
    const read = typed === null ? null : parseItalianDate(typed);
    if (read !== null && read !== value) onChange?.(read);
  }

  return (
    <TextInput
      placeholder={placeholder}
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      {...requiredByAria(field)}
      ref={input}
      value={typed ?? dateWords(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        onChange?.((ENDS_IN_YEAR.test(text) && parseItalianDate(text)) || text.trim());
      }}
      onKeyDown={(event) => {
        // Enter submits the form without leaving the field.
        if (event.key === 'Enter') finish();
      }}
      onBlur={(event) => {
        finish();
        setTyped(null);
        onBlur?.(event);
      }}
      rightSection={
        <Popover
          opened={picking}
          onChange={setPicking}
          trapFocus
          returnFocus
          withinPortal
          position="bottom-end"
          shadow="md"
        >
          <Popover.Target>
            <IconButton
              aria-label={`${choose}${typeof field.label === 'string' ? `: ${field.label}` : ''}`}
              disabled={field.disabled}
              // A calendar takes longer than a frame to render.
              onClick={() => afterPaint(() => startTransition(() => setPicking((open) => !open)))}
            >
              <IconCalendar size={20} stroke={1.75} aria-hidden="true" />
            </IconButton>
          </Popover.Target>
          <Popover.Dropdown lang={language} aria-label={choose} data-own-escape>
            <Calendar
              onMissing={() => setPicking(false)}
              value={isCalendarDate(value) ? value : null}
              minDate={minDate}
              maxDate={maxDate}
              language={language}
              onPick={(picked) =>
                choosing.postpone(() => {
                  setTyped(null);
                  onChange?.(picked);
                  setPicking(false);
                })
              }
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
});
