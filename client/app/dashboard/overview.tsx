import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { invoicePath, projectPath, tripRequestPath } from '#client/lib/record-paths.ts';
import { andOthers, DOT, daysFrom, monthLetters, monthWords, people, projection } from '#client/lib/words.ts';
import { ColumnChart } from '#client/ui/column-chart.tsx';
import { useIncrementalCount } from '#client/ui/incremental-render.ts';
import { Link } from '#client/ui/link.tsx';
import { Panel } from '#client/ui/panel.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { TargetBars } from '#client/ui/target-bars.tsx';
import type { AwayGroup, Dashboard, DueInvoice, Milestone, WaitingRequest } from '#contract/dashboard.ts';
import { type CalendarDate, formatDate, withArticle } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { HORIZON_DAYS } from '#contract/horizon.ts';
import { formatEuro } from '#contract/money.ts';
import { budgetFinding, spendFinding, stayWords } from './findings.ts';
import styles from './overview.module.css';

/** The people away, in the list of the team. */
export const TRAVELLING_PATH = '/app/progetti-team?tab=team&stato=in+trasferta';
export const UNPAID_PATH = '/app/pagamenti-fatture?vista=fatture&stato=Da+Pagare';

/** What a line is about, as a link where there is something to open. */
function Name({ to, children }: { to: string | false; children: string }) {
  if (!to) return children;
  return (
    <Anchor component={Link} to={to} inherit>
      {children}
    </Anchor>
  );
}

/** A line in a panel's list: what it is, details below it, and a figure or state at the end. */
function Line({
  what,
  to,
  details,
  end,
}: {
  what: string;
  /** What a press of the line opens; false for samples, which are nowhere to be found. */
  to: string | false;
  details: ReactNode;
  end: ReactNode;
}) {
  return (
    <li className={styles.line}>
      <div className={styles.words}>
        <p className={styles.what}>
          <Name to={to}>{what}</Name>
        </p>
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
  return others > 0 ? `${names.join(', ')} ${andOthers(others, 'persona', 'persone')}` : names.join(', ');
}

/** How many of the total a panel lists, when it does not list all. */
function partOf(shown: number, total: number): string | undefined {
  return total > shown ? `${figure(shown)} di ${figure(total)}` : undefined;
}

/** The link below a panel's list, to the complete list. */
function WayToAll({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className={styles.all}>
      <Anchor component={Link} to={to}>
        {children}
      </Anchor>
    </p>
  );
}

function Away({
  groups,
  travelling,
  today,
  sample,
}: {
  groups: readonly AwayGroup[];
  travelling: number;
  today: CalendarDate;
  sample: boolean;
}) {
  const shown = groups.reduce((sum, { people: count }) => sum + count, 0);
  return (
    <Panel title="Chi è in trasferta oggi" aside={sample && <SampleBadge />}>
      {groups.length === 0 ? (
        <p className={styles.nothing}>Nessuno è in trasferta.</p>
      ) : (
        <>
          <Lines>
            {groups.map((group) => (
              <Line
                key={group.projectId ?? 'none'}
                what={group.projectName ? `${group.projectName}, ${group.location}` : 'Senza progetto'}
                to={!sample && `${TRAVELLING_PATH}&progetto=${group.projectId ?? 0}`}
                details={namesOf(group)}
                end={
                  <>
                    <strong>{people(group.people)}</strong>
                    {group.projectId !== null && <span>{stayWords(group, today)}</span>}
                  </>
                }
              />
            ))}
          </Lines>
          {travelling > shown && (
            <WayToAll to="/app/progetti-team?tab=team">
              Altrove {people(travelling - shown)}: vedi tutto il team
            </WayToAll>
          )}
        </>
      )}
    </Panel>
  );
}

function Milestones({
  milestones,
  total,
  today,
  sample,
}: {
  milestones: readonly Milestone[];
  total: number;
  today: CalendarDate;
  sample: boolean;
}) {
  return (
    <Panel
      title={`Inizi e fini nei prossimi ${HORIZON_DAYS} giorni`}
      aside={sample ? <SampleBadge /> : partOf(milestones.length, total)}
    >
      {milestones.length === 0 ? (
        <p className={styles.nothing}>Nessun progetto inizia o finisce entro due settimane.</p>
      ) : (
        <>
          <Lines>
            {milestones.map(({ projectId, projectName, location, event, date, people: count }) => (
              <Line
                key={`${projectId}-${event}`}
                what={`${event === 'start' ? 'Inizia' : 'Finisce'} ${projectName}`}
                to={!sample && projectPath(projectName)}
                details={
                  <>
                    {/* A name in Arabic or Hebrew letters would otherwise draw the number that follows into itself. */}
                    <bdi>{location}</bdi>
                    {DOT}
                    {people(count)}
                  </>
                }
                end={
                  <>
                    <strong>{formatDate(date)}</strong>
                    <span>{daysFrom(today, date)}</span>
                  </>
                }
              />
            ))}
          </Lines>
          {total > milestones.length && <WayToAll to="/app/progetti-team">Vedi tutti i progetti</WayToAll>}
        </>
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
      aside={sample ? <SampleBadge /> : partOf(invoices.length, total)}
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
                to={!sample && invoicePath(number)}
                details={
                  <>
                    {overdue ? 'Scaduta' : 'Scade'} {withArticle('il', formatDate(dueDate))},{' '}
                    {daysFrom(today, dueDate)}
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
          <WayToAll to={UNPAID_PATH}>Vedi tutte le fatture da pagare</WayToAll>
        </>
      )}
    </Panel>
  );
}

function Requests({ waiting, items }: { waiting: number; items: readonly WaitingRequest[] }) {
  return (
    <Panel title="Richieste in attesa" aside={partOf(items.length, waiting)}>
      {items.length === 0 ? (
        <p className={styles.nothing}>
          Nessuna richiesta in attesa. <Link to="/app/nuova-trasferta">Chiedi una trasferta</Link>
        </p>
      ) : (
        <>
          <Lines>
            {items.map(({ id, city, projectName, startDate, people: count, state }) => (
              <Line
                key={id}
                what={`${city}, ${projectName}`}
                to={tripRequestPath(id)}
                details={`${people(count)} ${withArticle('dal', formatDate(startDate))}`}
                end={<StatusBadge status={state} />}
              />
            ))}
          </Lines>
          <WayToAll to="/app/nuova-trasferta/richieste">Vedi tutte le richieste</WayToAll>
        </>
      )}
    </Panel>
  );
}

/** Two panels each. */
const ROWS = 3;

/**
 * What a coordinator starts the day with: who is away, what comes next, what is due, what it costs. Its rows are
 * rendered one after the other, so that a press meanwhile waits for one only.
 * @param awaited whether `dashboard` arrived after the page was shown
 */
export function Overview({ dashboard, awaited }: { dashboard: Dashboard; awaited: boolean }) {
  const rows = useIncrementalCount(ROWS, 1, awaited);
  const { today, samples, away, travelling, milestones, due, dueSoon, requests, months, budgets } = dashboard;
  return (
    <div className={styles.grid}>
      <Away groups={away} travelling={travelling} today={today} sample={samples.employees} />
      <Due invoices={due} total={dueSoon} today={today} sample={samples.invoices} />
      {rows > 1 && (
        <>
          <Milestones
            milestones={milestones}
            total={dashboard.milestonesTotal}
            today={today}
            sample={samples.projects}
          />
          <Requests waiting={requests.waiting} items={requests.items} />
        </>
      )}
      {rows > 2 && (
        <>
          <Panel title="Spesa per mese" aside={samples.invoices && <SampleBadge />}>
            {months.every(({ amount }) => amount === 0) ? (
              <p className={styles.nothing}>{spendFinding(months)}</p>
            ) : (
              <ColumnChart
                finding={spendFinding(months)}
                caption="Fatture emesse per mese"
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
            )}
          </Panel>
          <Panel
            title="Speso e proiezione per progetto"
            aside={
              samples.projects ? <SampleBadge /> : partOf(budgets.length, dashboard.projections.projects)
            }
          >
            {budgets.length === 0 ? (
              <p className={styles.nothing}>Nessun progetto in corso con una spesa prevista.</p>
            ) : (
              <>
                <TargetBars
                  finding={budgetFinding(dashboard, budgets)}
                  caption="Speso e proiezione per progetto"
                  valueHeader="Spesi"
                  targetHeader="Proiezione"
                  bars={budgets.map(({ projectId, projectName, projected, spent }) => ({
                    key: projectId,
                    name: <Name to={!samples.projects && projectPath(projectName)}>{projectName}</Name>,
                    value: spent,
                    target: projected,
                    valueText: formatEuro(spent),
                    targetText: projection(projected),
                  }))}
                />
                {dashboard.projections.projects > budgets.length && (
                  <WayToAll to="/app/progetti-team">Vedi tutti i progetti</WayToAll>
                )}
              </>
            )}
          </Panel>
        </>
      )}
    </div>
  );
}
