import { IconMailForward, IconSearchOff } from '@tabler/icons-react';
import { EmptyState } from '#client/ui/list-states.tsx';

const WORDS = {
  search: {
    icon: IconSearchOff,
    title: 'Nessuna richiesta corrisponde alla ricerca',
    hint: 'Cambia le parole cercate o lo stato scelto.',
  },
  project: {
    icon: IconMailForward,
    title: 'Nessuna richiesta per questo progetto',
    hint: 'Togli il filtro per vedere quelle degli altri progetti.',
  },
  customer: {
    icon: IconMailForward,
    title: 'Nessuna richiesta di questo cliente',
    hint: 'Togli il filtro per vedere quelle degli altri clienti.',
  },
};

/** @param of what leaves all requests out: a project or a customer alone, or anything else */
export function NoneFound({ of }: { of: keyof typeof WORDS }) {
  const { icon, title, hint } = WORDS[of];
  return (
    <EmptyState icon={icon} title={title}>
      {hint}
    </EmptyState>
  );
}
