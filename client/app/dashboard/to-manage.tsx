import { IconInbox, IconMailExclamation, IconProgress } from '@tabler/icons-react';
import { TilesSkeleton } from '#client/ui/list-skeletons.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import type { ToManage as Counts } from '#contract/dashboard.ts';
import { figure } from '#contract/figures.ts';

const MANAGEMENT_PATH = '/app/gestione-richieste';

/** What waits for the provider (role admin), with links to where it is handled. Without `counts` while they load. */
export function ToManage({ counts }: { counts?: Counts }) {
  return (
    <Section title="Da gestire">
      {counts ? (
        <StatTiles>
          <StatTile
            label="Richieste nuove"
            value={figure(counts.sent)}
            hint="inviate dai clienti"
            icon={IconInbox}
            to={`${MANAGEMENT_PATH}?stato=Inviata`}
          />
          <StatTile
            label="In lavorazione"
            value={figure(counts.inProgress)}
            hint="senza proposta"
            icon={IconProgress}
            to={`${MANAGEMENT_PATH}?stato=In+lavorazione`}
          />
          <StatTile
            label="Email non consegnate"
            value={figure(counts.undelivered)}
            hint={counts.undelivered > 0 ? 'da controllare' : 'niente da controllare'}
            icon={IconMailExclamation}
            tone={counts.undelivered > 0 ? 'attention' : 'plain'}
            to={MANAGEMENT_PATH}
          />
        </StatTiles>
      ) : (
        <TilesSkeleton tiles={3} label="Caricamento…" />
      )}
    </Section>
  );
}
