import { Title } from '@mantine/core';
import { memo, useDeferredValue } from 'react';
import { people } from '#client/lib/words.ts';
import { Lines } from '#client/ui/lines.tsx';
import { isCalendarDate, period } from '#contract/dates.ts';
import { budgetWords } from '#contract/trip-requests.ts';
import type { FormValues } from './draft.ts';
import styles from './trip-summary.module.css';
import { capitalized, nights, rooms, wholeOf } from './words.ts';

/** A summary of `values` so far, in the order of the wizard; null while there is nothing to show. */
export function linesOf(values: FormValues): [label: string, value: string | null][] {
  const { dataInizio, dataFine, camere, numeroDipendenti, budget } = values;
  const dated = isCalendarDate(dataInizio) && isCalendarDate(dataFine) && dataFine >= dataInizio;
  const chosen = {
    singole: wholeOf(camere.singole, 0) ?? 0,
    doppie: wholeOf(camere.doppie, 0) ?? 0,
    suite: wholeOf(camere.suite, 0) ?? 0,
  };
  const count = wholeOf(numeroDipendenti, 1);
  return [
    ['Dove', values.citta.trim() || null],
    ['Quando', dated ? period(dataInizio, dataFine) : null],
    ['Durata', dated ? nights(dataInizio, dataFine) : null],
    ['Progetto', values.progetto.trim() || null],
    ['Chi', count === null ? null : people(count)],
    ['Alloggio', capitalized(values.alloggio)],
    ['Camere', rooms(chosen)],
    ['Budget', budgetWords(wholeOf(budget, 0) ?? 0)],
  ];
}

/** The request so far, beside the wizard on wide screens: the answers of the hidden steps. It follows the field being typed in. */
export function TripSummary({ values }: { values: FormValues }) {
  return <Summary values={useDeferredValue(values)} />;
}

const Summary = memo(function Summary({ values }: { values: FormValues }) {
  const lines = linesOf(values).filter((line): line is [string, string] => line[1] !== null);
  return (
    <aside aria-labelledby="trip-summary" className={styles.summary}>
      <Title order={2} size="h4" id="trip-summary">
        La tua richiesta
      </Title>
      <Lines lines={lines} look="compact" />
    </aside>
  );
});
