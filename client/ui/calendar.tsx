import { type CalendarLevel, DatePicker, DatesProvider } from '@mantine/dates';
import '@mantine/dates/styles.css';
import dayjs from 'dayjs';
import 'dayjs/locale/it.js';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { markPressed } from '#client/lib/mark-pressed.ts';
import { usePostponed } from '#client/lib/use-postponed.ts';
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

/** Days since Monday. */
const weekday = (day: dayjs.Dayjs) => (day.day() + 6) % 7;

/** Where the keys lead from a day: arrows through days and weeks, Home and End in the week, pages through months. */
const STEPS: Readonly<Record<string, (day: dayjs.Dayjs) => dayjs.Dayjs>> = {
  ArrowLeft: (day) => day.subtract(1, 'day'),
  ArrowRight: (day) => day.add(1, 'day'),
  ArrowUp: (day) => day.subtract(1, 'week'),
  ArrowDown: (day) => day.add(1, 'week'),
  Home: (day) => day.subtract(weekday(day), 'day'),
  End: (day) => day.add(6 - weekday(day), 'day'),
  PageUp: (day) => day.subtract(1, 'month'),
  PageDown: (day) => day.add(1, 'month'),
};

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
  const [level, setLevel] = useState<CalendarLevel>('month');
  /** The month that a button has turned to; the name of a day that gets the focus includes its month. */
  const [turnedTo, setTurnedTo] = useState('');
  /** The days of a month take longer than a frame to render. */
  const turning = usePostponed();
  /** The day that the keys have come to, while its month is still to be rendered. */
  const goingTo = useRef<string>(null);

  /** The days beside the month are there, but out of sight. */
  const dayOf = (date: string) =>
    days.current?.querySelector<HTMLElement>(`[data-day="${date}"]:not([data-hidden])`);

  /** Renders what `change` shows after the frame that responds to the press, and then gives the focus its place. */
  function turn(change: () => void, giveFocus: () => void) {
    turning.postpone(() => {
      flushSync(change);
      giveFocus();
    });
  }

  /**
   * Goes to the day that the key leads to, in another month too: the arrow keys of the library end with the month. Before it
   * hears of the key, with which it would go a day further. Of the months that fast keys go through, only the last is rendered.
   */
  function move(event: KeyboardEvent) {
    const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : STEPS[event.key];
    const onTheWay = goingTo.current;
    if (!step || onTheWay === null) turning.settle();
    const from = document.activeElement;
    const day = onTheWay ?? (from instanceof HTMLElement ? from.dataset.day : undefined);
    if (!step || !from || !day) return;
    event.preventDefault();
    event.stopPropagation();
    const wished = step(dayjs(day)).format('YYYY-MM-DD');
    const next = minDate && wished < minDate ? minDate : maxDate && wished > maxDate ? maxDate : wished;
    const inSight = onTheWay === null ? dayOf(next) : null;
    if (inSight) return inSight.focus();
    markPressed(from);
    goingTo.current = next;
    if (onTheWay !== null) return;
    turn(
      () => {
        setShown(goingTo.current ?? next);
        setTurnedTo('');
      },
      () => {
        dayOf(goingTo.current ?? next)?.focus();
        goingTo.current = null;
      },
    );
  }

  /** A press on an arrow counts from the month that the press before it leads to; one on a day is about what is in sight. */
  function beforePress({ target }: MouseEvent) {
    if (target instanceof Element && !target.closest('[data-day]')) turning.settle();
  }

  /** Where the library has removed or disabled the button that was pressed, the month above the days gets the focus. */
  function keepFocus() {
    const focused = document.activeElement;
    if (focused !== document.body && !focused?.matches(':disabled')) return;
    days.current?.querySelector<HTMLElement>(`.${styles.header} button:not([data-direction])`)?.focus();
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
        onDateChange={(date) =>
          turn(() => {
            setShown(date);
            setTurnedTo(dayjs(date).locale(language).format('MMMM YYYY'));
          }, keepFocus)
        }
        level={level}
        onLevelChange={(next) => turn(() => setLevel(next), keepFocus)}
        onClickCapture={beforePress}
        onKeyDownCapture={move}
        // Keys that no date picker is expected to have, a letter among them.
        enableKeyboardNavigation={false}
        minDate={minDate}
        maxDate={maxDate}
        onChange={(picked) => picked && onPick(picked)}
        classNames={{ day: styles.day, calendarHeader: styles.header }}
        // With the day of the week, which is otherwise only told by the column, whose heading is two letters.
        getDayAriaLabel={(day) => dayjs(day).locale(language).format('dddd D MMMM YYYY')}
        getDayProps={(day) => ({
          'data-day': day,
          // The library marks the value, which would not take the focus where it cannot be picked.
          'data-autofocus': day === begin || undefined,
          ...(day === today && { 'aria-current': 'date' as const }),
          ...(day === value && { 'aria-pressed': true }),
        })}
        ariaLabels={LABELS[language]}
      />
      <span role="status" className="visually-hidden">
        {turnedTo}
      </span>
    </DatesProvider>
  );
}
