import { useState } from 'react';
import { DateField } from '#client/ui/date-field.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { calendarDateSchema, isCalendarDate, todayInRome } from '#contract/dates.ts';
import { FilterSelect } from './filter-select.tsx';
import styles from './period-filter.module.css';
import { dayOf, type Period, periods } from './periods.ts';

/** The error in a typed bound; none while it is empty. */
function dateProblem(text: string): string | undefined {
  return text === '' ? undefined : calendarDateSchema.safeParse(text).error?.issues[0]?.message;
}

const ALWAYS = 'Sempre';
const CUSTOM = 'Altre date';
/** The same labels on every day. */
const CHOICES = [ALWAYS, ...Object.keys(periods(todayInRome())), CUSTOM];

/** Filters a list by the period of issue: a predefined one, or from one day to another. */
export const PeriodFilter = memoWithStableHandlers(
  View,
  (before, next) => before.period.from === next.period.from && before.period.to === next.period.to,
);

function View({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const known = periods(todayInRome());
  const named = Object.keys(known).find(
    (name) => known[name]?.from === period.from && known[name]?.to === period.to,
  );
  const unbounded = period.from === undefined && period.to === undefined;
  const bounds = { from: period.from ?? '', to: period.to ?? '' };
  /** The bounds as typed: an incomplete date does not filter, and is kept. Null until 'Altre date' is chosen. */
  const [typed, setTyped] = useState<typeof bounds | null>(null);
  const { from, to } = typed ?? bounds;
  // A named period of the day before is no longer one of today's.
  const custom = typed !== null || (!named && !unbounded);
  const chosen = custom ? CUSTOM : (named ?? ALWAYS);
  const backwards = isCalendarDate(from) && isCalendarDate(to) && to < from;
  /** The bound that is being typed: half a date is no error yet. */
  const [typing, setTyping] = useState<keyof Period | null>(null);
  const fieldOf = (bound: keyof Period) => ({
    value: { from, to }[bound],
    error: typing === bound ? undefined : dateProblem({ from, to }[bound]),
    // The error appears when the focus has already left the field.
    errorProps: { role: 'alert' },
    onChange: (text: string) => {
      const texts = { from, to, [bound]: text };
      setTyping(bound);
      setTyped(texts);
      onChange({ from: dayOf(texts.from), to: dayOf(texts.to) });
    },
    onBlur: () => setTyping(null),
  });
  return (
    <>
      <FilterSelect
        label="Periodo"
        data={CHOICES}
        value={chosen}
        onChange={(name) => {
          setTyped(name === CUSTOM ? bounds : null);
          // Of today, because the page may have been left open over midnight.
          if (name !== CUSTOM)
            onChange((name && periods(todayInRome())[name]) || { from: undefined, to: undefined });
        }}
      />
      {custom && (
        <div className={styles.bounds}>
          <DateField label="Dal" {...fieldOf('from')} />
          <DateField
            label="Al"
            {...fieldOf('to')}
            {...(backwards && { error: 'Prima della data di inizio' })}
          />
        </div>
      )}
    </>
  );
}
