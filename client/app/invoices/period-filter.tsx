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
  const [custom, setCustom] = useState(!named && !unbounded);
  const chosen = custom ? CUSTOM : (named ?? ALWAYS);
  /** The bound as typed: an incomplete date does not filter, and is kept. */
  const [typed, setTyped] = useState({ from: period.from ?? '', to: period.to ?? '' });
  const backwards = isCalendarDate(typed.from) && isCalendarDate(typed.to) && typed.to < typed.from;
  function type(bound: Partial<typeof typed>) {
    const texts = { ...typed, ...bound };
    setTyped(texts);
    onChange({ from: dayOf(texts.from), to: dayOf(texts.to) });
  }
  return (
    <>
      <FilterSelect
        label="Periodo"
        data={CHOICES}
        value={chosen}
        onChange={(name) => {
          setCustom(name === CUSTOM);
          if (name === CUSTOM) setTyped({ from: period.from ?? '', to: period.to ?? '' });
          else onChange((name && known[name]) || { from: undefined, to: undefined });
        }}
      />
      {custom && (
        <div className={styles.bounds}>
          <DateField
            label="Dal"
            value={typed.from}
            error={dateProblem(typed.from)}
            onChange={(from) => type({ from })}
          />
          <DateField
            label="Al"
            value={typed.to}
            error={backwards ? 'Prima della data di inizio' : dateProblem(typed.to)}
            onChange={(to) => type({ to })}
          />
        </div>
      )}
    </>
  );
}
