import { IconInbox, IconMailExclamation, IconProgress } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { TilesSkeleton } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Section } from '#client/ui/section.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import { figure } from '#contract/figures.ts';
import { toManageQuery } from './api.ts';

const MANAGEMENT_PATH = '/app/gestione-richieste';

/** What waits for the provider (role admin), with links to where it is handled. */
export function ToManage() {
  const query = useQuery(toManageQuery);
  return (
    <Section title="Da gestire">
      <Loaded
        query={query}
        skeleton={<TilesSkeleton tiles={3} label="Caricamento…" />}
        errorLine="Richieste ed email non contate"
      >
        {({ sent, inProgress, undelivered }) => (
          <StatTiles>
            <StatTile
              label="Richieste nuove"
              value={figure(sent)}
              hint="inviate dai clienti"
              icon={IconInbox}
              to={`${MANAGEMENT_PATH}?stato=Inviata`}
            />
            <StatTile
              label="In lavorazione"
              value={figure(inProgress)}
              hint="senza proposta"
              icon={IconProgress}
              to={`${MANAGEMENT_PATH}?stato=In+lavorazione`}
            />
            <StatTile
              label="Email non consegnate"
              value={figure(undelivered)}
              hint={undelivered > 0 ? 'da controllare' : 'niente da controllare'}
              icon={IconMailExclamation}
              tone={undelivered > 0 ? 'attention' : 'plain'}
              to={MANAGEMENT_PATH}
            />
          </StatTiles>
        )}
      </Loaded>
    </Section>
  );
}
