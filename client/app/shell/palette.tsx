import { Loader } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type Icon,
  IconFileInvoice,
  IconInbox,
  IconRoute,
  IconSearch,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { answer, api } from '#client/lib/api.ts';
import { useCover } from '#client/ui/cover.ts';
import { still } from '#client/ui/theme/mantine.ts';
import type { Me } from '#contract/accounts.ts';
import { partsOfNumber } from '#contract/invoices.ts';
import { holdWords } from '#contract/lists.ts';
import {
  MAX_SEARCH_LENGTH,
  MIN_SEARCH_LENGTH,
  SEARCH_KINDS,
  SEARCH_TOO_SHORT,
  type SearchHit,
} from '#contract/search.ts';
import { pagesOf, wordBegins } from './pages-of.ts';

/** Shorter than a list's: the hits of a palette are few, and waited for. */
const PALETTE_DEBOUNCE_MS = 150;

const [store, actions] = createSpotlight();

function searchQuery(q: string) {
  return queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => answer(api.search.$get({ query: { q } }, { init: { signal } })),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

type Kind = {
  label: string;
  icon: Icon;
  /** How its title is written, where not as it is. */
  title?: (hit: SearchHit) => string;
  to: (hit: SearchHit) => string;
};

/** Where a long word may be broken. */
const MAY_BREAK = '\u200B';
const breakableNumber = ({ title }: SearchHit) => partsOfNumber(title).join(MAY_BREAK);

const KINDS: Record<SearchHit['kind'], Kind> = {
  project: {
    label: 'Progetti',
    icon: IconUsersGroup,
    to: ({ title }) => `/app/progetti-team?cerca=${encodeURIComponent(title)}`,
  },
  employee: {
    label: 'Persone',
    icon: IconUser,
    to: ({ title }) => `/app/progetti-team?tab=team&cerca=${encodeURIComponent(title)}`,
  },
  invoice: {
    label: 'Fatture',
    icon: IconFileInvoice,
    title: breakableNumber,
    to: ({ id }) => `/app/pagamenti-fatture?vista=fatture&cerca=${encodeURIComponent(id)}`,
  },
  tripRequest: {
    label: 'Richieste di trasferta',
    icon: IconRoute,
    to: ({ id }) => `/app/nuova-trasferta/richieste/${id}`,
  },
  customerInvoice: {
    label: 'Fatture dei clienti',
    icon: IconFileInvoice,
    title: breakableNumber,
    to: ({ id }) => `/app/admin/invoices?cerca=${encodeURIComponent(id)}`,
  },
  customerTripRequest: {
    label: 'Richieste dei clienti',
    icon: IconInbox,
    to: ({ id }) => `/app/gestione-richieste/${id}`,
  },
  user: {
    label: 'Utenti',
    icon: IconUsers,
    // Names repeat, addresses do not.
    to: ({ detail }) => `/app/user-management?cerca=${encodeURIComponent(detail)}`,
  },
};

/** The library chooses the first entry with each letter: what the server finds comes later than that. */
function chooseFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (!list || list.querySelector('[data-selected]')) return;
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Finds pages by name, and the records that the account may see. Opened by the shell. */
export default function Palette({ me, opened, onClose }: { me: Me; opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [settled] = useDebouncedValue(query.trim(), PALETTE_DEBOUNCE_MS);
  const searchable = settled.length >= MIN_SEARCH_LENGTH;
  const { data, isFetching, isError, isPlaceholderData } = useQuery({
    ...searchQuery(settled),
    enabled: opened && searchable,
  });
  useEffect(() => {
    if (opened) actions.open();
  }, [opened]);
  useCover(opened);
  /** The palette goes in the frame that answers the press, the page comes after it. */
  const go = (to: string) => afterPaint(() => navigate(to));

  const pages = pagesOf(me.permissions).filter((page) => wordBegins(`${page.label} ${page.words}`, query));
  // While the next answer is on its way the one before it stands in, as far as it fits what is typed now.
  const hits = searchable
    ? (data?.hits ?? []).filter((hit) => !isPlaceholderData || holdWords([hit.title, hit.detail], query))
    : [];
  const nothing = pages.length === 0 && hits.length === 0;
  const failed = searchable && isError;
  useEffect(() => {
    if (query.trim() && !nothing) chooseFirst();
  });

  return (
    <Spotlight.Root
      {...still}
      // The dialog has no title to be named by.
      attributes={{ content: { 'aria-label': 'Cerca' } }}
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      // As dark as the place of the scroll bar beside it, and as other dialogs.
      overlayProps={{ backgroundOpacity: 0.6, blur: 0 }}
      shortcut={null}
      scrollable
      maxHeight="70dvh"
      // Its field stays where it is while what is found grows and shrinks.
      centered={false}
      yOffset="10dvh"
      returnFocus
    >
      <Spotlight.Search
        maxLength={MAX_SEARCH_LENGTH}
        aria-label={
          me.permissions.customerArea
            ? 'Cerca pagine, progetti, persone, fatture e richieste'
            : 'Cerca pagine e fatture dei clienti'
        }
        placeholder={
          me.permissions.customerArea
            ? 'Cerca progetti, persone, fatture…'
            : 'Cerca una fattura per numero o cliente…'
        }
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden="true" />}
        rightSection={isFetching ? <Loader size={18} /> : null}
      />
      <Spotlight.ActionsList>
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Pagine">
            {pages.map(({ to, label, icon: IconOf }) => (
              <Spotlight.Action
                key={to}
                label={label}
                leftSection={<IconOf size={20} stroke={1.75} aria-hidden="true" />}
                onClick={() => go(to)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {SEARCH_KINDS.map((kind) => {
          const found = hits.filter((hit) => hit.kind === kind);
          const { label, icon: IconOf, title, to } = KINDS[kind];
          return found.length === 0 ? null : (
            <Spotlight.ActionsGroup key={kind} label={label}>
              {found.map((hit) => (
                <Spotlight.Action
                  key={hit.id}
                  label={title?.(hit) ?? hit.title}
                  description={hit.detail}
                  leftSection={<IconOf size={20} stroke={1.75} aria-hidden="true" />}
                  onClick={() => go(to(hit))}
                />
              ))}
            </Spotlight.ActionsGroup>
          );
        })}
        {(nothing || failed) && (
          <Spotlight.Empty role="status">
            {failed
              ? 'La ricerca non risponde. Riprova tra poco.'
              : query.trim().length < MIN_SEARCH_LENGTH
                ? `${SEARCH_TOO_SHORT}.`
                : isFetching || query.trim() !== settled
                  ? 'Sto cercando…'
                  : 'Nessun risultato. Prova con un nome, una località o un numero di fattura.'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
