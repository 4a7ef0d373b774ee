import { IconFileInvoice } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAddressFilters, useFieldsKey, useShownAtOnce } from '#client/lib/address-filters.ts';
import { rowsOf } from '#client/lib/list-pages.ts';
import { ExportMenu } from '#client/ui/export-menu.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { Section } from '#client/ui/section.tsx';
import { INVOICE_FILTERS, type InvoiceSummary, invoiceFilterOf } from '#contract/invoices.ts';
import { exportInvoices, invoiceSummaryQuery, invoicesQuery } from './api.ts';
import { ClearFilters } from './clear-filters.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FilterSelect } from './filter-select.tsx';
import { InvoiceTable } from './invoice-table.tsx';
import { PeriodFilter } from './period-filter.tsx';
import { dayOf, type Period } from './periods.ts';
import { useProjectNames } from './project-names.ts';
import { SampleInvoices } from './samples.tsx';
import { SearchField } from './search-field.tsx';
import { TotalsLine } from './totals-line.tsx';

type Filters = Period & { search: string; status: ReturnType<typeof invoiceFilterOf>; projectId: string };

/** The list's filters in the URL, the values of its fields, and functions that change them. */
function useFilters() {
  const [parameters, change] = useAddressFilters<'stato' | 'cerca' | 'progetto' | 'dal' | 'al'>();
  const filters: Filters = {
    search: parameters.get('cerca') ?? '',
    status: invoiceFilterOf(parameters.get('stato')),
    projectId: parameters.get('progetto') ?? '',
    from: dayOf(parameters.get('dal')),
    to: dayOf(parameters.get('al')),
  };
  const [shown, narrow] = useShownAtOnce(filters, (values: Partial<Omit<Filters, 'search'>>) =>
    change({
      ...('projectId' in values && { progetto: values.projectId ?? '' }),
      ...('status' in values && { stato: values.status ?? '' }),
      ...('from' in values && { dal: values.from ?? '' }),
      ...('to' in values && { al: values.to ?? '' }),
    }),
  );
  return { filters, shown, narrow, change, active: Object.values(filters).some(Boolean) };
}

/**
 * Projects to filter by: those with invoices, and `chosen`. A URL may name another, deleted meanwhile: without an option of
 * its own the field would read 'Tutti' above a filtered list.
 */
function useProjectOptions(
  summary: InvoiceSummary | undefined,
  chosen: string,
): { value: string; label: string }[] {
  const nameOf = useProjectNames(summary?.projects ?? NO_PROJECTS);
  return useMemo(() => {
    if (!summary) return [];
    const names = new Map<string, string>();
    for (const project of summary.projects) {
      if (project.projectId !== null) names.set(String(project.projectId), nameOf(project));
    }
    if (chosen && !names.has(chosen)) names.set(chosen, 'Progetto senza fatture');
    return [...names].map(([value, label]) => ({ value, label }));
  }, [summary, chosen, nameOf]);
}
const NO_PROJECTS: InvoiceSummary['projects'] = [];

/**
 * 'Tutte le Fatture': search, filters, totals and export. Shows the samples if the last invoice has been deleted
 * meanwhile.
 */
export function InvoiceList({ mayCreate }: { mayCreate: boolean }) {
  const { filters, shown, narrow, change, active } = useFilters();
  const list = useInfiniteQuery(invoicesQuery(filters));
  const summary = useQuery(invoiceSummaryQuery);
  const projects = useProjectOptions(summary.data, filters.projectId);
  const [fieldsKey, resetFields] = useFieldsKey();
  const { data, isPlaceholderData } = list;
  if (!active && !isPlaceholderData && data?.pages[0]?.items.length === 0) {
    return <SampleInvoices title="Tutte le Fatture" mayCreate={mayCreate} />;
  }
  return (
    <Section
      title="Tutte le Fatture"
      actions={<ExportMenu name="fatture" load={(format) => exportInvoices(filters, format)} />}
    >
      <FilterBar
        active={[filters.projectId, filters.status, filters.from ?? filters.to].filter(Boolean).length}
        search={<SearchField label="Cerca" placeholder="Numero, progetto o descrizione" />}
      >
        <FilterSelect
          label="Progetto"
          placeholder="Tutti"
          clearLabel="Tutti i progetti"
          data={projects}
          value={shown.projectId || null}
          onChange={(projectId) => narrow({ projectId: projectId ?? '' })}
        />
        <FilterSelect
          label="Stato"
          placeholder="Tutti"
          clearLabel="Tutti gli stati"
          data={INVOICE_FILTERS}
          value={shown.status ?? null}
          onChange={(status) => narrow({ status: invoiceFilterOf(status) })}
        />
        <PeriodFilter key={fieldsKey} period={{ from: shown.from, to: shown.to }} onChange={narrow} />
      </FilterBar>
      <Loaded query={list} skeleton={<RowsSkeleton label="Caricamento delle fatture…" />}>
        {({ pages }) => {
          const [first] = pages;
          const invoices = rowsOf(pages);
          if (!first || invoices.length === 0) {
            return (
              <EmptyState
                icon={IconFileInvoice}
                title="Nessuna fattura corrisponde ai filtri."
                action={
                  <ClearFilters
                    onClear={() => {
                      change({ stato: '', cerca: '', progetto: '', dal: '', al: '' });
                      resetFields();
                    }}
                  />
                }
              >
                Cambia le parole cercate, o togli i filtri.
              </EmptyState>
            );
          }
          return (
            <>
              <TotalsLine count={first.total} totals={first.totals} current={!list.isRefetching} />
              <InvoiceTable caption="Tutte le fatture" invoices={invoices} />
              <LoadMore feminine shown={invoices.length} total={first.total} pages={list} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
