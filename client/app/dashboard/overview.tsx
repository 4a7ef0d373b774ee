import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { daysFrom, monthLetters, monthWords, people } from '#client/lib/words.ts';
import { ColumnChart } from '#client/ui/column-chart.tsx';
import { Link } from '#client/ui/link.tsx';
import { Panel } from '#client/ui/panel.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { TargetBars } from '#client/ui/target-bars.tsx';
import type { AwayGroup, Dashboard, DueInvoice, Milestone, WaitingRequest } from '#contract/dashboard.ts';
import { HORIZON_DAYS } from '#contract/dashboard.ts';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import { formatEuro } from '#contract/money.ts';
import { budgetFinding, spendFinding } from './findings.ts';
import styles from './overview.module.css';

/** One line of a panel's list: what, details below it, and a figure or state at its end. */
function Line({ what, details, end }: { what: ReactNode; details: ReactNode; end: ReactNode }) {
  return (
    <li className={styles.line}>
      <div className={styles.words}>
        <p className={styles.what}>{what}</p>
        <p className={styles.details}>{details}</p>
      </div>
      <div className={styles.end}>{end}</div>
    </li>
  );
}

function Lines({ children }: { children: ReactNode }) {
  return <ul className={styles.lines}>{children}</ul>;
}

function namesOf({ names, people: count }: AwayGroup): string {
  const others = count - names.length;
  return others > 0
    ? `${names.join(', ')} e ${others === 1 ? 'un’altra persona' : `altre ${others}`}`
    : names.join(', ');
}

function Away({ groups, sample }: { groups: readonly AwayGroup[]; sample: boolean }) {
  return (
    <Panel title="Chi è in trasferta oggi" aside={sample && <SampleBadge />}>
      {groups.length === 0 ? (
        <p className={styles.nothing}>Nessuno è in trasferta.</p>
      ) : (
        <Lines>
          {groups.map((group) => (
            <Line
              key={group.projectId ?? 'none'}
              what={group.projectName ? `${group.projectName}, ${group.location}` : 'Senza progetto'}
              details={namesOf(group)}
              end={
                <>
                  <strong>{people(group.people)}</strong>
                  {group.until && <span>fino al {formatDate(group.until)}</span>}
                </>
              }
            />
          ))}
        </Lines>
      )}
    </Panel>
  );
}

function Milestones({
  milestones,
  today,
  sample,
}: {
  milestones: readonly Milestone[];
  today: CalendarDate;
  sample: boolean;
}) {
  return (
    <Panel title={`Inizi e fini nei prossimi ${HORIZON_DAYS} giorni`} aside={sample && <SampleBadge />}>
      {milestones.length === 0 ? (
        <p className={styles.nothing}>Nessun progetto inizia o finisce entro due settimane.</p>
      ) : (
        <Lines>
          {milestones.map(({ projectId, projectName, location, event, date, people: count }) => (
            <Line
              key={`${projectId}-${event}`}
              what={`${event === 'start' ? 'Inizia' : 'Finisce'} ${projectName}`}
              details={`${location} · ${people(count)}`}
              end={
                <>
                  <strong>{formatDate(date)}</strong>
                  <span>{daysFrom(today, date)}</span>
                </>
              }
            />
          ))}
        </Lines>
      )}
    </Panel>
  );
}

function Due({
  invoices,
  total,
  today,
  sample,
}: {
  invoices: readonly DueInvoice[];
  total: number;
  today: CalendarDate;
  sample: boolean;
}) {
  return (
    <Panel
      title="Fatture scadute o in scadenza"
      aside={sample ? <SampleBadge /> : total > invoices.length && `${invoices.length} di ${total}`}
    >
      {invoices.length === 0 ? (
        <p className={styles.nothing}>Niente da pagare nelle prossime due settimane.</p>
      ) : (
        <>
          <Lines>
            {invoices.map(({ number, projectName, amount, dueDate, overdue }) => (
              <Line
                key={number}
                what={projectName}
                details={
                  <>
                    {overdue ? 'Scaduta' : 'Scade'} il {formatDate(dueDate)}, {daysFrom(today, dueDate)}
                  </>
                }
                end={
                  <>
                    <strong>{formatEuro(amount)}</strong>
                    {overdue && <StatusBadge status="Scaduta" />}
                  </>
                }
              />
            ))}
          </Lines>
          <p className={styles.all}>
            <Anchor component={Link} to="/app/pagamenti-fatture?vista=fatture&stato=Da+Pagare">
              Vedi tutte le fatture da pagare
            </Anchor>
          </p>
        </>
      )}
    </Panel>
  );
}

function Requests({ waiting, items }: { waiting: number; items: readonly WaitingRequest[] }) {
  return (
    <Panel
      title="Richieste in attesa"
      aside={waiting > items.length ? `${items.length} di ${waiting}` : undefined}
    >
      {items.length === 0 ? (
        <p className={styles.nothing}>
          Nessuna richiesta in attesa. <Link to="/app/nuova-trasferta">Chiedi una trasferta</Link>
        </p>
      ) : (
        <Lines>
          {items.map(({ id, city, projectName, startDate, people: count, state }) => (
            <Line
              key={id}
              what={`${city}, ${projectName}`}
              details={`${people(count)} dal ${formatDate(startDate)}`}
              end={<StatusBadge status={state} />}
            />
          ))}
        </Lines>
      )}
    </Panel>
  );
}

/** What makes a coordinator start the day on Home: who is away, what comes next, what is due, what it costs. */
export function Overview({ dashboard }: { dashboard: Dashboard }) {
  const { today, samples, away, milestones, due, dueSoon, requests, months, budgets } = dashboard;
  return (
    <div className={styles.grid}>
      <Away groups={away} sample={samples.employees} />
      <Due invoices={due} total={dueSoon} today={today} sample={samples.invoices} />
      <Milestones milestones={milestones} today={today} sample={samples.projects} />
      <Requests waiting={requests.waiting} items={requests.items} />
      <Panel title="Spesa per mese" aside={samples.invoices && <SampleBadge />}>
        <ColumnChart
          finding={spendFinding(months)}
          nameHeader="Mese"
          valueHeader="Fatture emesse"
          columns={months.map(({ month, amount }) => ({
            key: month,
            name: monthWords(month),
            label: monthLetters(month),
            value: amount,
            text: formatEuro(amount),
          }))}
        />
      </Panel>
      <Panel title="Speso e proiezione per progetto" aside={samples.projects && <SampleBadge />}>
        {budgets.length === 0 ? (
          <p className={styles.nothing}>Nessun progetto in corso con una spesa prevista.</p>
        ) : (
          <TargetBars
            finding={budgetFinding(budgets)}
            valueHeader="Spesi"
            targetHeader="Proiezione"
            bars={budgets.map(({ projectId, projectName, projected, spent }) => ({
              key: projectId,
              name: projectName,
              value: spent,
              target: projected,
              valueText: formatEuro(spent),
              targetText: projected > 0 ? formatEuro(projected) : 'Senza proiezione',
            }))}
          />
        )}
      </Panel>
    </div>
  );
}
