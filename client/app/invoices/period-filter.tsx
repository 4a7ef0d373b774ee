import { Group, Select } from '@mantine/core';
import { useState } from 'react';
import { DateField } from '#client/ui/date-field.tsx';
import { addDays, addYears, type CalendarDate, isCalendarDate, todayInRome } from '#contract/dates.ts';

/** First and last day; undefined where there is no bound. */
export type Period = { from: CalendarDate | undefined; to: CalendarDate | undefined };

/** Text that is a day; undefined while it is none. */
export function dayOf(text: string | null): CalendarDate | undefined {
  return text !== null && isCalendarDate(text) ? text : undefined;
}

/** The periods people ask for, counted from `today`. */
function periods(today: CalendarDate): Record<string, Period> {
  const year = today.slice(0, 4);
  const last = addYears(today, -1).slice(0, 4);
  return {
    'Ultimi 30 giorni': { from: addDays(today, -30), to: undefined },
    'Ultimi 3 mesi': { from: addDays(today, -91), to: undefined },
    "Quest'anno": { from: dayOf(`${year}-01-01`), to: undefined },
    'Anno scorso': { from: dayOf(`${last}-01-01`), to: dayOf(`${last}-12-31`) },
  };
}

const ALWAYS = 'Sempre';
const CUSTOM = 'Scegli le date';

/** Narrows a list to the invoices issued in a period: a usual one, or from one day to another. */
export function PeriodFilter({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const known = periods(todayInRome());
  const named = Object.keys(known).find(
    (name) => known[name]?.from === period.from && known[name]?.to === period.to,
  );
  const unbounded = period.from === undefined && period.to === undefined;
  const [custom, setCustom] = useState(!named && !unbounded);
  const chosen = custom ? CUSTOM : (named ?? ALWAYS);
  return (
    <>
      <Select
        label="Periodo"
        allowDeselect={false}
        data={[ALWAYS, ...Object.keys(known), CUSTOM]}
        value={chosen}
        onChange={(name) => {
          setCustom(name === CUSTOM);
          if (name !== CUSTOM) onChange((name && known[name]) || { from: undefined, to: undefined });
        }}
      />
      {custom && (
        <Group grow gap="sm" align="flex-start">
          <DateField
            label="Dal"
            value={period.from ?? ''}
            onChange={(from) => onChange({ ...period, from: dayOf(from) })}
          />
          <DateField
            label="Al"
            value={period.to ?? ''}
            error={
              period.from && period.to && period.to < period.from ? 'Prima della data di inizio' : undefined
            }
            onChange={(to) => onChange({ ...period, to: dayOf(to) })}
          />
        </Group>
      )}
    </>
  );
}
