import { IconInbox, IconMailExclamation, IconProgress } from '@tabler/icons-react';
import { TilesSkeleton } from '#client/ui/list-skeletons.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import type { ToManage as Counts } from '#contract/dashboard.ts';
import { figure } from '#contract/figures.ts';

const MANAGEMENT_PATH = '/app/gestione-richieste';

const SENT = { label: 'Richieste nuove', hint: 'inviate dai clienti', icon: IconInbox };
const IN_PROGRESS = { label: 'In lavorazione', hint: 'senza proposta', icon: IconProgress };
const UNDELIVERED = {
  label: 'Email non consegnate',
  hint: 'niente da controllare',
  icon: IconMailExclamation,
};

/** What waits for the provider (role admin), with links to where it is handled. Without `counts` while they load. */
export function ToManage({ counts }: { counts?: Counts }) {
  return (
    <Section title="Da gestire">
      {counts ? (
        <StatTiles>
          <StatTile {...SENT} value={figure(counts.sent)} to={`${MANAGEMENT_PATH}?stato=Inviata`} />
          <StatTile
            {...IN_PROGRESS}
            value={figure(counts.inProgress)}
            to={`${MANAGEMENT_PATH}?stato=In+lavorazione`}
          />
          <StatTile
            {...UNDELIVERED}
            value={figure(counts.undelivered)}
            hint={counts.undelivered > 0 ? 'da controllare' : UNDELIVERED.hint}
            tone={counts.undelivered > 0 ? 'attention' : 'plain'}
            to={MANAGEMENT_PATH}
          />
        </StatTiles>
      ) : (
        <TilesSkeleton tiles={[SENT, IN_PROGRESS, UNDELIVERED]} label="Caricamento…" />
      )}
    </Section>
  );
}
