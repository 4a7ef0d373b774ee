import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Section } from '#client/ui/section.tsx';
import { todayInRome } from '#contract/dates.ts';
import { INVOICE_TEXTS, sampleInvoices } from '#contract/invoices.ts';
import { InvoiceTable } from './invoice-table.tsx';

/** Shown to a customer without invoices: a message, and four sample invoices (spec §3). */
export function SampleInvoices({ title, mayCreate }: { title: string; mayCreate: boolean }) {
  return (
    <Section title={title}>
      <Alert
        mb="md"
        title={INVOICE_TEXTS.empty}
        icon={<IconInfoCircle size={20} stroke={1.75} aria-hidden="true" />}
      >
        {mayCreate
          ? INVOICE_TEXTS.emptyHint
          : 'Quando emetteremo la prima la troverai qui. Intanto ecco quattro esempi.'}
      </Alert>
      <InvoiceTable caption="Fatture di esempio" invoices={sampleInvoices(todayInRome())} />
    </Section>
  );
}
