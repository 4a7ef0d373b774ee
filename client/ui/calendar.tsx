import { DatePicker, DatesProvider } from '@mantine/dates';
import '@mantine/dates/styles.css';
import dayjs from 'dayjs';
import 'dayjs/locale/it.js';
import styles from './calendar.module.css';

dayjs.locale('it');

/** An Italian month calendar, Monday first. Loaded only when a date is picked rather than typed. */
export default function Calendar({
  value,
  minDate,
  maxDate,
  onPick,
}: {
  /** yyyy-mm-dd, or null. */
  value: string | null;
  minDate?: string;
  maxDate?: string;
  onPick: (date: string) => void;
}) {
  return (
    <DatesProvider settings={{ locale: 'it', firstDayOfWeek: 1 }}>
      <DatePicker
        className={styles.calendar}
        value={value}
        defaultDate={value ?? undefined}
        minDate={minDate}
        maxDate={maxDate}
        onChange={(picked) => picked && onPick(picked)}
        getDayProps={(day) => (day === value ? { 'data-autofocus': true } : {})}
        ariaLabels={{
          monthLevelControl: 'Scegli il mese',
          yearLevelControl: "Scegli l'anno",
          nextMonth: 'Mese successivo',
          previousMonth: 'Mese precedente',
          nextYear: 'Anno successivo',
          previousYear: 'Anno precedente',
          nextDecade: 'Decennio successivo',
          previousDecade: 'Decennio precedente',
        }}
      />
    </DatesProvider>
  );
}
