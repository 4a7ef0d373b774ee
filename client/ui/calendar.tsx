import { DatePicker, DatesProvider } from '@mantine/dates';
import '@mantine/dates/styles.css';
import dayjs from 'dayjs';
import 'dayjs/locale/it.js';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { todayInRome } from '#contract/dates.ts';
import styles from './calendar.module.css';

dayjs.locale('it');

/** The language of a calendar: Italian, except on the one page that the specification has in English. */
export type CalendarLanguage = 'it' | 'en';

/** The month and year above the days need no further label. */
const LABELS = {
  it: {
    nextMonth: 'Mese successivo',
    previousMonth: 'Mese precedente',
    nextYear: 'Anno successivo',
    previousYear: 'Anno precedente',
    nextDecade: 'Decennio successivo',
    previousDecade: 'Decennio precedente',
  },
  en: {
    nextMonth: 'Next month',
    previousMonth: 'Previous month',
    nextYear: 'Next year',
    previousYear: 'Previous year',
    nextDecade: 'Next decade',
    previousDecade: 'Previous decade',
  },
} as const;

/** A month calendar, starting on Monday. Loaded only when a date is picked instead of typed. */
export default function Calendar({
  value,
  minDate,
  maxDate,
  language,
  onPick,
}: {
  /** yyyy-mm-dd, or null. */
  value: string | null;
  minDate?: string;
  maxDate?: string;
  language: CalendarLanguage;
  onPick: (date: string) => void;
}) {
  const days = useRef<HTMLDivElement>(null);
  const today = todayInRome();
  const wanted = value ?? today;
  /** Where the arrow keys begin, in the month shown first. A day that cannot be picked would not take the focus. */
  const begin = minDate && wanted < minDate ? minDate : maxDate && wanted > maxDate ? maxDate : wanted;
  const [shown, setShown] = useState<string>(begin);

  /** PageUp and PageDown go to the same day of another month; the arrow keys of the library end with the month. */
  function turn(event: KeyboardEvent) {
    const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    const { day } = event.target instanceof HTMLElement ? event.target.dataset : {};
    if (step === 0 || !day) return;
    event.preventDefault();
    const wished = dayjs(day).add(step, 'month').format('YYYY-MM-DD');
    const next = minDate && wished < minDate ? minDate : maxDate && wished > maxDate ? maxDate : wished;
    flushSync(() => setShown(next));
    days.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  }

  // Before its code was there, the layer it stands in took the focus itself.
  useEffect(() => {
    if (days.current?.closest('[role=dialog]') !== document.activeElement) return;
    days.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
  }, []);
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1 }}>
      <DatePicker
        ref={days}
        hideOutsideDates
        value={value}
        date={shown}
        onDateChange={setShown}
        onKeyDown={turn}
        minDate={minDate}
        maxDate={maxDate}
        onChange={(picked) => picked && onPick(picked)}
        classNames={{ day: styles.day, calendarHeader: styles.header }}
        getDayProps={(day) => ({
          'data-day': day,
          ...(day === begin && { 'data-autofocus': true }),
          ...(day === today && { 'aria-current': 'date' as const }),
        })}
        ariaLabels={LABELS[language]}
      />
    </DatesProvider>
  );
}
