import { Button, Card, Group, Text, Title } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { monthLetters, monthWords } from '#client/lib/words.ts';
import table from '#client/ui/table.module.css';
import { TableCaption } from '#client/ui/table-caption.tsx';
import { figure } from '#contract/figures.ts';
import type { InvoiceSummary } from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { monthFinding, type NamedProject, projectFinding, sumOfMonth } from './findings.ts';
import { useProjectNames } from './project-names.ts';
import styles from './spend-charts.module.css';

/** A chart titled by its finding, with a caption and the same numbers as a table. */
function Figure({
  finding,
  subject,
  chartSubject = subject,
  chart,
  rows,
  tableClass = '',
}: {
  finding: string;
  subject: string;
  /** Caption of the chart, if it shows less than the table. */
  chartSubject?: string;
  chart: ReactNode;
  /** Head and body of the table. */
  rows: ReactNode;
  tableClass?: string | undefined;
}) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <Card component="figure" className={styles.figure} aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" gap="xs" className={styles.head}>
        <div>
          <Title order={2} size="h4" id={id} className={styles.finding}>
            {finding}
          </Title>
          <Text size="sm" c="dimmed">
            {asTable ? subject : chartSubject}
          </Text>
        </div>
        <Button
          variant="subtle"
          size="compact-sm"
          className={styles.switch}
          leftSection={
            asTable ? (
              <IconChartBar size={16} aria-hidden="true" />
            ) : (
              <IconTable size={16} aria-hidden="true" />
            )
          }
          aria-label={`${asTable ? 'Grafico' : 'Tabella'}: ${subject}`}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Grafico' : 'Tabella'}
        </Button>
      </Group>
      {asTable ? (
        <table className={`${table.table} ${tableClass}`} data-small>
          <TableCaption>{subject}</TableCaption>
          {rows}
        </table>
      ) : (
        <div aria-hidden="true">{chart}</div>
      )}
    </Card>
  );
}

function MonthRows({ months }: { months: InvoiceSummary['months'] }) {
  return (
    <>
      <thead>
        <tr>
          <th>Mese</th>
          <th className={styles.end}>Pagate</th>
          <th className={styles.end}>Da pagare</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, paid, unpaid }) => (
          <tr key={month}>
            <th scope="row">
              {monthLetters(month)} {month.slice(0, 4)}
            </th>
            <td className={styles.end} data-header="Pagate">
              {formatEuro(paid)}
            </td>
            <td className={styles.end} data-header="Da pagare">
              {formatEuro(unpaid)}
            </td>
          </tr>
        ))}
      </tbody>
    </>
  );
}

/** Columns of paid and unpaid amounts, drawn with CSS: a charting library would outweigh the whole page. */
function MonthColumns({ months }: { months: InvoiceSummary['months'] }) {
  const highest = Math.max(...months.map(sumOfMonth));
  const height = (euro: number) => ({ blockSize: `${(euro / (highest || 1)) * 100}%` });
  return (
    <>
      <div className={styles.plot}>
        {highest > 0 && <span className={styles.top}>{formatEuro(highest)}</span>}
        {months.map(({ month, paid, unpaid }) => (
          <div
            key={month}
            className={styles.month}
            title={`${monthWords(month)}: ${formatEuro(paid)} pagati, ${formatEuro(unpaid)} da pagare`}
          >
            <div className={styles.column}>
              <span className={styles.unpaid} style={height(unpaid)} />
              <span className={styles.paid} style={height(paid)} />
            </div>
            <span className={styles.label}>{monthLetters(month)}</span>
          </div>
        ))}
      </div>
      <p className={styles.legend}>
        <span className={`${styles.mark} ${styles.paid}`} /> Pagate
        <span className={`${styles.mark} ${styles.unpaid}`} /> Da pagare
      </p>
    </>
  );
}

/** Bars below full names, which would not fit on the axis of a chart. */
function ProjectBars({ projects }: { projects: readonly NamedProject[] }) {
  const largest = projects[0]?.amount ?? 1;
  return (
    <ul className={styles.bars}>
      {projects.slice(0, PROJECTS_SHOWN).map(({ key, name, amount }) => (
        <li key={key}>
          <span className={styles.name}>{name}</span>
          <span className={styles.amount}>{formatEuro(amount)}</span>
          <span className={styles.bar} style={{ inlineSize: `${(amount / largest) * 100}%` }} />
        </li>
      ))}
    </ul>
  );
}
const PROJECTS_SHOWN = 6;

/** Spend by month of issue and by project (spec §5: up to today). */
export function SpendCharts({ summary }: { summary: InvoiceSummary }) {
  const { months, total } = summary;
  const nameOf = useProjectNames(summary.projects);
  const projects = summary.projects.map((project) => ({
    key: `${project.projectId}-${project.projectName}`,
    name: nameOf(project),
    amount: project.amount,
  }));
  return (
    <div className={styles.charts}>
      <Figure
        finding={monthFinding(months)}
        subject="Fatture per mese di emissione, ultimi 12 mesi"
        chart={<MonthColumns months={months} />}
        rows={<MonthRows months={months} />}
        tableClass={styles.months}
      />
      <Figure
        finding={projectFinding(projects, total.amount)}
        subject="Fatture per progetto"
        chartSubject={
          projects.length > PROJECTS_SHOWN
            ? `I ${PROJECTS_SHOWN} progetti con più spesa, su ${figure(projects.length)}`
            : undefined
        }
        chart={<ProjectBars projects={projects} />}
        rows={
          <>
            <thead>
              <tr>
                <th>Progetto</th>
                <th className={styles.end}>Spesa</th>
              </tr>
            </thead>
            <tbody>
              {projects.map(({ key, name, amount }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  <td className={styles.end}>{formatEuro(amount)}</td>
                </tr>
              ))}
            </tbody>
          </>
        }
      />
    </div>
  );
}
