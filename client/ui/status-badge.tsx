import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconClock,
  IconHome,
  IconInbox,
  IconMapPin,
  IconMessage2,
  IconPlaneDeparture,
  IconTool,
  IconUserCheck,
} from '@tabler/icons-react';
import { Badge, type Tone } from './badge.tsx';

/** Every state a record can have, shown by colour, icon and word, never by colour alone. */
const LOOKS = {
  'In corso': { tone: 'blue', icon: IconMapPin },
  Completato: { tone: 'green', icon: IconCheck },
  'in trasferta': { tone: 'blue', icon: IconPlaneDeparture },
  Rientrato: { tone: 'green', icon: IconHome },
  disponibile: { tone: 'gray', icon: IconUserCheck },
  'Da Pagare': { tone: 'orange', icon: IconClock },
  Pagata: { tone: 'green', icon: IconCheck },
  Scaduta: { tone: 'red', icon: IconAlertTriangle },
  Inviata: { tone: 'blue', icon: IconInbox },
  'In lavorazione': { tone: 'orange', icon: IconTool },
  'Proposta inviata': { tone: 'orange', icon: IconMessage2 },
  Confermata: { tone: 'green', icon: IconCheck },
  Annullata: { tone: 'gray', icon: IconBan },
} as const satisfies Record<string, { tone: Tone; icon: Icon }>;

/** A state that has a badge. */
export type Status = keyof typeof LOOKS;

/** The badge of a state. */
export function StatusBadge({ status }: { status: Status }) {
  return <Badge {...LOOKS[status]}>{status}</Badge>;
}
