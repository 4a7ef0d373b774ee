import { CloseButton, getDefaultZIndex, Input, Loader, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type Icon,
  IconFileInvoice,
  IconFilter,
  IconInbox,
  IconRoute,
  IconSearch,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { afterPaint, useAfterPaint } from '#client/lib/after-paint.ts';
import { answer, api } from '#client/lib/api.ts';
import { accountPath, invoicePath, projectPath, tripRequestPath } from '#client/lib/record-paths.ts';
import { counted } from '#client/lib/words.ts';
import { useCover } from '#client/ui/cover.ts';
import { useDescription } from '#client/ui/description.tsx';
import { isHere } from '#client/ui/link.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { ClosedByBack } from '#client/ui/way-back.tsx';
import type { Me } from '#contract/accounts.ts';
import { partsOfNumber } from '#contract/invoices.ts';
import { containWords } from '#contract/lists.ts';
import {
  MAX_QUERY_LENGTH,
  MIN_SEARCH_LENGTH,
  SEARCH_KINDS,
  SEARCH_TOO_SHORT,
  type SearchHit,
} from '#contract/search.ts';
import { pagesOf, wordBegins } from './pages-of.ts';
import styles from './palette.module.css';
import { takeTyped } from './typed-ahead.ts';

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
    // Names repeat, URLs do not.
    to: ({ detail }) => accountPath(detail),
  },
};

/** An option of the palette. */
type Option = {
  key: string;
  label: string;
  lang?: string;
  description?: string;
  icon: Icon;
  to: string;
};

type OptionGroup = { label: string; options: readonly Option[] };

type PaletteProps = { me: Me; opened: boolean; onClose: () => void };

/**
 * Finds pages by name, and the records that the account may see. Opened by the shell. Opening and closing follow the
 * frame that responds to the press.
 */
export default function Palette({ me, opened, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const shown = useAfterPaint(opened, false);
  function open(to: string) {
    // Already closing.
    if (!opened) return;
    onClose();
    afterPaint(() => navigate(to, { replace: isHere(to) }));
  }
  return (
    <>
      {opened && <ClosedByBack onBack={onClose} />}
      <PaletteDialog me={me} opened={shown} onClose={onClose} onOpen={open} />
    </>
  );
}

type DialogProps = PaletteProps & { onOpen: (to: string) => void };

/** Not rendered by the press that opens or closes it, only after the frame that responds. */
const PaletteDialog = memoWithStableHandlers(({ opened, onClose, ...search }: DialogProps) => {
  useCover(opened);
  const { id, attributes, description } = useDescription();
  return (
    <Modal
      id={id}
      opened={opened}
      onClose={onClose}
      // The dialog has no visible title.
      attributes={{ ...attributes, content: { 'aria-label': 'Cerca' } }}
      classNames={{ content: styles.content, body: styles.body }}
      withCloseButton={false}
      size={600}
      padding={0}
      // Aligned to the top, so that the field does not move as the list of hits grows and shrinks.
      centered={false}
      yOffset="10dvh"
      zIndex={getDefaultZIndex('max')}
    >
      {description}
      <Combobox {...search} onClose={onClose} />
    </Modal>
  );
});

/**
 * The options that match a text: pages at once, and records as they are found.
 * @returns `isPending` also while the search of records waits for a pause in typing
 */
function useFound(me: Me, query: string) {
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

/**
 * A combobox whose list is always open (ARIA Authoring Practices): the focus stays in the field, which refers to the
 * option that Enter opens. A component of its own, so that a letter does not render the dialog.
 */
function Combobox({ me, onOpen, onClose }: Omit<DialogProps, 'opened'>) {
  const id = useId();
  const [query, setQuery] = useState('');
  /** Key of the option selected with the arrow keys. */
  const [chosen, setChosen] = useState<string | null>(null);
  const { groups, isFetching, isPending, isFailed } = useFound(me, query);
  const options = groups.flatMap((group) => group.options);
  const nothing = options.length === 0;
  const typed = query.trim();

  const idOf = (key: string) => `${id}-${key}`;
  const active = options.find(({ key }) => key === chosen) ?? (typed ? options[0] : undefined);
  const activeId = active && idOf(active.key);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function search(text: string) {
    setQuery(text);
    setChosen(null);
  }
  /** Wraps around in both directions. */
  function move(step: 1 | -1) {
    const index = active ? options.indexOf(active) + step : step === 1 ? 0 : -1;
    setChosen(options.at(index % options.length)?.key ?? null);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') active && onOpen(active.to);
    else return;
    event.preventDefault();
  }

  function status(): string {
    if (isFailed) return 'La ricerca non risponde. Riprova tra poco.';
    if (nothing && typed.length < MIN_SEARCH_LENGTH) return `${SEARCH_TOO_SHORT}.`;
    if (nothing && isPending) return 'Sto cercando…';
    if (nothing)
      return `Nessun risultato. Prova con ${me.permissions.customerArea ? 'un nome, una località' : 'un cliente, un progetto'} o un numero di fattura.`;
    return typed && !isPending ? counted(options.length, 'risultato', 'risultati') : '';
  }

  return (
    <>
      <Input
        data-autofocus
        size="lg"
        classNames={{ input: styles.field }}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={!nothing}
        aria-controls={nothing ? undefined : `${id}-list`}
        aria-activedescendant={activeId}
        autoComplete="off"
        maxLength={MAX_QUERY_LENGTH}
        aria-label={
          me.permissions.customerArea
            ? 'Cerca progetti, persone, fatture, richieste e pagine'
            : 'Cerca una fattura, un cliente o una pagina'
        }
        placeholder={
          me.permissions.customerArea
            ? 'Cerca progetti, persone, fatture…'
            : 'Cerca una fattura o un cliente…'
        }
        leftSection={
          isFetching ? <Loader size={18} /> : <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        }
        // Not every device has an Esc key, or a back button.
        rightSectionPointerEvents="all"
        rightSection={<CloseButton aria-label="Chiudi" onClick={onClose} />}
        value={query}
        onFocus={() => !query && search(takeTyped())}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {!nothing && (
        <div id={`${id}-list`} className={styles.list} role="listbox" aria-label="Risultati">
          {groups.map(({ label, options: found }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a list box
            <div key={label} className={styles.group} role="group" aria-label={label}>
              <div className={styles.groupLabel} aria-hidden="true">
                {label}
              </div>
              {found.map(({ key, to, ...option }) => (
                <ResultOption
                  key={key}
                  {...option}
                  id={idOf(key)}
                  selected={key === active?.key}
                  onOpen={() => onOpen(to)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {/* Always present, so that it is announced; visually the count is obvious. */}
      <div role="status" className={nothing || isFailed ? styles.status : 'visually-hidden'}>
        {status()}
      </div>
    </>
  );
}

/** Rendered again only when it changes, because many stay while somebody types. A plain element, because there are many. */
const ResultOption = memoWithStableHandlers(
  ({
    id,
    label,
    lang,
    description,
    icon: OptionIcon,
    selected,
    onOpen,
  }: Omit<Option, 'key' | 'to'> & { id: string; selected: boolean; onOpen: () => void }) => (
    <button
      type="button"
      id={id}
      className={styles.option}
      role="option"
      aria-selected={selected}
      lang={lang}
      tabIndex={-1}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <OptionIcon className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        {description && <span className={styles.description}>{description}</span>}
      </span>
    </button>
  ),
);
