import { SimpleGrid, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { memo } from 'react';
import { DateField } from '#client/ui/date-field.tsx';
import { EuroField } from '#client/ui/euro-field.tsx';
import { Textarea } from '#client/ui/inputs.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { formatDate, isCalendarDate, todayInRome } from '#contract/dates.ts';
import { DEFAULT_DUE_DAYS, defaultDueDate, MAX_DESCRIPTION_LENGTH } from '#contract/invoices.ts';
import type { InvoiceValues } from './invoice-form.ts';

/** First day the calendar of 'Data Emissione' offers (spec §5). */
const FIRST_DAY = '1900-01-01';

type Props<Values extends InvoiceValues> = { form: UseFormReturnType<Values>; disabled: boolean };

/** Amount, dates and description: the fields of every invoice form. */
export const InvoiceFields = memo(Fields, alike) as typeof Fields;

/**
 * Whether the fields show the same values, so that input in other fields does not render them again. Handlers are not
 * compared, because a form's handlers are equivalent on every render.
 */
function alike<Values extends InvoiceValues>(before: Props<Values>, next: Props<Values>): boolean {
  return (
    before.disabled === next.disabled &&
    (['amount', 'issueDate', 'dueDate', 'description'] as const).every(
      (name) =>
        before.form.values[name] === next.form.values[name] &&
        before.form.errors[name] === next.form.errors[name],
    )
  );
}

function Fields<Values extends InvoiceValues>({ form, disabled }: Props<Values>) {
  const { issueDate } = form.values;
  return (
    <>
      <EuroField
        label="Importo (€)"
        required
        disabled={disabled}
        key={form.key('amount')}
        {...form.getInputProps('amount')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField
          label="Data Emissione"
          required
          disabled={disabled}
          minDate={FIRST_DAY}
          maxDate={todayInRome()}
          key={form.key('issueDate')}
          {...form.getInputProps('issueDate')}
        />
        <DateField
          label="Scadenza"
          disabled={disabled}
          description={
            isCalendarDate(issueDate)
              ? `Se non la indichi: ${formatDate(defaultDueDate(issueDate))}`
              : `Se non la indichi: ${DEFAULT_DUE_DAYS} giorni dopo l’emissione`
          }
          minDate={isCalendarDate(issueDate) ? issueDate : undefined}
          key={form.key('dueDate')}
          {...form.getInputProps('dueDate')}
        />
      </SimpleGrid>
      <Textarea
        label="Descrizione"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={MAX_DESCRIPTION_LENGTH}
        disabled={disabled}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
    </>
  );
}

/** The progress of an upload; null while there is none. */
export function UploadProgress({ part }: { part: number | null }) {
  if (part === null) return null;
  const percent = Math.round(part * 100);
  return (
    <div>
      <ProgressBar value={percent} size="large" label="Caricamento del PDF" />
      <Text size="sm" c="dimmed" mt={4}>
        {percent < 100 ? `Caricamento del PDF: ${percent}%` : 'PDF ricevuto, registrazione in corso…'}
      </Text>
    </div>
  );
}
