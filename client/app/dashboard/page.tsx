import { Alert, Button } from '@mantine/core';
import {
  IconFileInvoice,
  IconHeadset,
  IconInfoCircle,
  IconPlaneDeparture,
  IconReceiptEuro,
  IconRoute,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useOnNewDay } from '#client/lib/new-day.ts';
import { useMe } from '#client/lib/session.ts';
import { counted } from '#client/lib/words.ts';
import { Link } from '#client/ui/link.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import type { Dashboard } from '#contract/dashboard.ts';
import { figure } from '#contract/figures.ts';
import { formatEuro } from '#contract/money.ts';
import { FiguresSpinner, HOME } from '../shell/first-view.tsx';
import { dashboardQuery } from './api.ts';
import { sampleWords } from './findings.ts';
import { Overview, TRAVELLING_PATH, UNPAID_PATH } from './overview.tsx';
import styles from './page.module.css';
import { ToManage } from './to-manage.tsx';

const SHORTCUTS = [
  { to: '/app/nuova-trasferta', label: 'Nuova Trasferta', does: 'Chiedi alloggi e servizi', icon: IconRoute },
  {
    to: '/app/pagamenti-fatture',
    label: 'Pagamenti e Fatture',
    does: 'Controlla e scarica',
    icon: IconFileInvoice,
  },
  { to: '/app/progetti-team', label: 'Progetti e Team', does: 'Cantieri e persone', icon: IconUsersGroup },
  { to: '/app/support', label: 'Supporto 24/7', does: 'Parla con noi', icon: IconHeadset },
] as const;

/** The four links of Home (spec §2). */
function Shortcuts() {
  return (
    <nav aria-label="Scorciatoie">
      <ul className={styles.shortcuts}>
        {SHORTCUTS.map(({ to, label, does, icon: IconOf }) => (
          <li key={to}>
            <Link to={to} data-prefetch="" className={styles.shortcut}>
              <IconOf size={24} stroke={1.75} aria-hidden="true" />
              <span>
                <strong>{label}</strong>
                <span className={styles.does}>{does}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The four figures of Home (spec §2). */
function Figures({ dashboard }: { dashboard: Dashboard }) {
  const { activeProjects, travelling, spent, unpaid, overdue, requests, samples } = dashboard;
  return (
    <StatTiles>
      <StatTile
        label="Progetti Attivi"
        value={figure(activeProjects)}
        hint={
          requests.waiting > 0
            ? `${counted(requests.waiting, 'richiesta', 'richieste')} in attesa`
            : 'Nessuna richiesta in attesa'
        }
        icon={IconUsersGroup}
        to="/app/progetti-team"
        sample={samples.projects}
      />
      <StatTile
        label="Attualmente in trasferta"
        value={figure(travelling)}
        hint={travelling === 1 ? 'persona fuori sede' : 'persone fuori sede'}
        icon={IconPlaneDeparture}
        to={TRAVELLING_PATH}
        sample={samples.employees}
      />
      <StatTile
        label="Spesa Totale ad Oggi"
        value={formatEuro(spent.total)}
        // Short, as below: beside the figure on a phone, it would take a second line, and move what is below.
        hint={`${formatEuro(spent.paid)} pagati`}
        icon={IconReceiptEuro}
        to="/app/pagamenti-fatture"
        sample={samples.invoices}
      />
      <StatTile
        label="Fatture da Pagare"
        value={formatEuro(unpaid.amount)}
        hint={
          overdue.count > 0
            ? `${counted(overdue.count, 'scaduta', 'scadute')} per ${formatEuro(overdue.amount)}`
            : counted(unpaid.count, 'fattura', 'fatture')
        }
        icon={IconFileInvoice}
        tone={overdue.count > 0 ? 'attention' : 'plain'}
        to={UNPAID_PATH}
        sample={samples.invoices}
      />
    </StatTiles>
  );
}

/** Says which figures and lists are samples, while some are, with links to add the first own records. */
function SampleNote({ samples }: { samples: Dashboard['samples'] }) {
  const words = sampleWords(samples);
  if (!words) return null;
  const { projects, employees, invoices } = samples;
  const all = projects && employees && invoices;
  return (
    <Alert
      icon={<IconInfoCircle aria-hidden="true" />}
      color="blue"
      title={all ? 'Questi sono dati di esempio' : 'Alcuni di questi sono dati di esempio'}
    >
      <p>{words}</p>
      {projects ? (
        <Button component={Link} to="/app/progetti-team" mt="sm" size="sm">
          Crea il tuo primo progetto
        </Button>
      ) : (
        employees && (
          <Button component={Link} to="/app/progetti-team?tab=team" mt="sm" size="sm">
            Aggiungi persone al team
          </Button>
        )
      )}
    </Alert>
  );
}

/** Home (spec §2): current state and outstanding amounts; for an administrator also what waits for the provider. */
export default function DashboardPage() {
  const { permissions } = useMe();
  const query = useQuery(dashboardQuery);
  // Not again if the query itself has just begun, because the page is visible again.
  useOnNewDay(() => query.refetch({ cancelRefetch: false }));
  // Together with the figures, which `Loaded` renders once the skeleton has been painted.
  const known = useDeferredValue(query.data);
  const [awaited] = useState(known === undefined);
  return (
    <>
      <PageHeader {...HOME} />
      <div className={styles.stack}>
        <Loaded
          query={query}
          skeleton={
            <>
              {permissions.manageTripRequests && <ToManage />}
              <FiguresSpinner />
            </>
          }
        >
          {(dashboard) => (
            <>
              {dashboard.toManage && <ToManage counts={dashboard.toManage} />}
              <Figures dashboard={dashboard} />
            </>
          )}
        </Loaded>
        <Shortcuts />
        {known && (
          <>
            {/* Below what stands there before it. */}
            <SampleNote samples={known.samples} />
            <Overview dashboard={known} awaited={awaited} />
          </>
        )}
      </div>
    </>
  );
}
