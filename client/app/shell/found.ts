import { useDebouncedValue } from '@mantine/hooks';
import {
  type Icon,
  IconFileInvoice,
  IconFilter,
  IconInbox,
  IconRoute,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import { accountPath, invoicePath, projectPath, tripRequestPath } from '#client/lib/record-paths.ts';
import type { Me } from '#contract/accounts.ts';
import { partsOfNumber } from '#contract/invoices.ts';
import { containWords } from '#contract/lists.ts';
import { MIN_SEARCH_LENGTH, SEARCH_KINDS, type SearchHit } from '#contract/search.ts';
import { pagesOf, wordBegins } from './pages-of.ts';

/** Shorter than for lists: a palette has few hits, and the user waits for them. */
const PALETTE_DEBOUNCE_MS = 150;

function searchQuery(q: string) {
  return queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => answer(api.search.$get({ query: { q } }, { init: { signal } })),
    placeholderData: keepPreviousData,
    // Always refetched, so that records just created are found and deleted ones are not.
    staleTime: 0,
  });
}

type Kind = {
  label: string;
  icon: Icon;
  /** How the title is rendered, if not as plain text. */
  title?: (hit: SearchHit) => string;
  to: (hit: SearchHit) => string;
};

/** Where a long word may break. */
const MAY_BREAK = '\u200B';
const breakableNumber = ({ title }: SearchHit) => partsOfNumber(title).join(MAY_BREAK);

const KINDS: Record<SearchHit['kind'], Kind> = {
  project: {
    label: 'Progetti',
    icon: IconUsersGroup,
    to: ({ title }) => projectPath(title),
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
    to: ({ id }) => invoicePath(id),
  },
  tripRequest: {
    label: 'Richieste di trasferta',
    icon: IconRoute,
    to: ({ id }) => tripRequestPath(id),
  },
  customerInvoice: {
    label: 'Fatture dei clienti',
    icon: IconFileInvoice,
    title: breakableNumber,
    to: ({ id }) => `/app/admin/invoices?cerca=${encodeURIComponent(id)}`,
  },
  customer: {
    label: 'Clienti',
    icon: IconFilter,
    to: ({ id }) => `/app/admin/invoices?cliente=${encodeURIComponent(id)}`,
  },
  customerTripRequest: {
    label: 'Richieste dei clienti',
    icon: IconInbox,
    to: ({ id }) => `/app/gestione-richieste/${id}`,
  },
  user: {
    label: 'Utenti',
    icon: IconUsers,
    to: ({ id }) => accountPath(id),
  },
};

/** An option of the palette. */
export type Option = {
  key: string;
  label: string;
  lang?: string;
  description?: string;
  icon: Icon;
  to: string;
};

type OptionGroup = { label: string; options: readonly Option[] };

/**
 * The options that match a text: pages at once, and records as they are found.
 * @returns `isPending` also while the search of records waits for a pause in typing
 */
export function useFound(me: Me, query: string) {
  const typed = query.trim();
  const [settled] = useDebouncedValue(typed, PALETTE_DEBOUNCE_MS);
  const searchable = settled.length >= MIN_SEARCH_LENGTH;
  const { data, isFetching, isError, isPlaceholderData } = useQuery({
    ...searchQuery(settled),
    enabled: searchable,
  });

  const pages = pagesOf(me.permissions).filter((page) => wordBegins(`${page.label} ${page.words}`, query));
  const unanswered = isPlaceholderData || typed !== settled;
  // Until the next response arrives, the previous hits are shown as far as they match the current text.
  const hits = searchable
    ? (data?.hits ?? []).filter((hit) => !unanswered || containWords([hit.title, hit.detail], query))
    : [];
  const groups: readonly OptionGroup[] = [
    { label: 'Pagine', options: pages.map(({ words: _, ...page }) => ({ key: page.to, ...page })) },
    ...SEARCH_KINDS.map((kind) => {
      const { label, icon, title, to } = KINDS[kind];
      const options = hits
        .filter((hit) => hit.kind === kind)
        .map((hit) => ({
          key: `${kind}-${hit.id}`,
          label: title?.(hit) ?? hit.title,
          description: hit.detail,
          icon,
          to: to(hit),
        }));
      return { label, options };
    }),
  ].filter(({ options }) => options.length > 0);
  return {
    groups,
    isFetching,
    isPending: isFetching || typed !== settled,
    isFailed: searchable && isError,
  };
}
