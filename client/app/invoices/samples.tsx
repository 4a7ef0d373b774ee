import { SamplesNote } from '#client/ui/samples-note.tsx';
import { Section } from '#client/ui/section.tsx';
import { todayInRome } from '#contract/dates.ts';
import { INVOICE_TEXTS, sampleInvoices } from '#contract/invoices.ts';
import { InvoiceTable } from './invoice-table.tsx';

/** Shown to a customer without invoices: a message, and four sample invoices (spec §3). */
export function SampleInvoices({ title, mayCreate }: { title: string; mayCreate: boolean }) {
  return (
    <Section title={title}>
      <SamplesNote title={INVOICE_TEXTS.empty}>
        {mayCreate
          ? INVOICE_TEXTS.emptyHint
          : 'Quando emetteremo la prima la troverai qui. Intanto ecco quattro esempi.'}
      </SamplesNote>
      <InvoiceTable caption="Fatture di esempio" invoices={sampleInvoices(todayInRome())} />
    </Section>
  );
}
