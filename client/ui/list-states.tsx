import { Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { type Icon, IconCloudOff, IconRefresh } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { ApiError } from '#client/lib/api.ts';
import { isOutdated } from '#client/lib/list-pages.ts';
import { figure } from '#contract/figures.ts';
import styles from './list-states.module.css';
import { focusTitleAbove } from './opener.ts';
import { Skeleton } from './skeleton.tsx';
import tileStyles from './stat-tile.module.css';

/**
 * A skeleton that pulses as a whole: one compositing layer instead of one per bar.
 * @param label read out by screen readers while it is shown; null where another part of the page says so
 */
export function Waiting({
  label = 'Caricamento…',
  children,
}: {
  label?: string | null | undefined;
  children: ReactNode;
}) {
  return (
    <div role={label === null ? undefined : 'status'} aria-busy="true">
      {label !== null && <span className="visually-hidden">{label}</span>}
      <div aria-hidden="true" className={styles.pulse}>
        {children}
      </div>
    </div>
  );
}

/** The shape of a loading table, or of cards where a table would not fit. */
export function RowsSkeleton({ rows = 5, label }: { rows?: number; label?: string | null }) {
  return (
    <Waiting label={label}>
      <div className={styles.rows}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other identity
          <div key={row} className={styles.row}>
            <Skeleton height={14} width={`${55 + ((row * 17) % 40)}%`} />
            <Skeleton height={14} width="60%" />
            <Skeleton height={14} width="60%" />
            <div className={styles.inCard}>
              <Skeleton height={14} width="70%" />
              <Skeleton height={14} width="45%" />
              <Skeleton height={36} width="9rem" />
            </div>
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** The shape of a loading grid of cards. `height` in pixels. */
export function CardsSkeleton({
  cards = 3,
  height = 160,
  label,
}: {
  cards?: number;
  height?: number;
  label?: string;
}) {
  return (
    <Waiting label={label}>
      <div className={styles.cards}>
        {Array.from({ length: cards }, (_, card) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards without content have no other identity
          <div key={card} className={styles.card} style={{ minHeight: height }}>
            <Skeleton height={18} width={`${55 + ((card * 13) % 30)}%`} />
            <Skeleton height={14} width="40%" />
            <Skeleton height={8} margin="var(--space-4) 0 0" />
            <Skeleton height={72} margin="var(--space-4) 0 0" />
            <Skeleton height={36} margin="auto 0 0" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** The shape of a row of `StatTile`s while their figures load. */
export function TilesSkeleton({ tiles, label }: { tiles: number; label: string }) {
  return (
    <Waiting label={label}>
      <div className={tileStyles.tiles}>
        {Array.from({ length: tiles }, (_, tile) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tiles without content have no other identity
          <div key={tile} className={`${tileStyles.spanning} ${styles.tile}`}>
            <Skeleton height={14} width="60%" />
            <Skeleton height={22} width="4.5rem" />
            <Skeleton height={12} width="75%" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** Replaces a list: an icon, a text and an action. */
function Message({
  icon: IconOf,
  alarming = false,
  title,
  titleRef,
  children,
  action,
}: {
  icon: Icon;
  /** Shown in red and announced immediately by screen readers. */
  alarming?: boolean;
  title: string;
  titleRef?: RefObject<HTMLParagraphElement | null>;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="sm" className={styles.message} role={alarming ? 'alert' : undefined}>
      <ThemeIcon variant="light" color={alarming ? 'red' : undefined} size={56} radius="xl">
        <IconOf size={28} stroke={1.5} aria-hidden="true" />
      </ThemeIcon>
      <Text ref={titleRef} fw={600} className={styles.text}>
        {title}
      </Text>
      {children}
      {action}
    </Stack>
  );
}

/** Additional text of a `Message`. */
function Further({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" component="div" className={styles.text}>
      {children}
    </Text>
  );
}

/**
 * The live region of a list. It outlives its contents, because an element that appears together with its text is often
 * not announced. It is filled imperatively, so that the list is not rendered once more for it.
 */
const Told = createContext<RefObject<HTMLElement | null> | null>(null);

/** Long enough for every screen reader to pick it up. */
const TOLD_MS = 10_000;

/**
 * An empty list: what it is for, and how to add the first entry. `title` is the message of the spec; within `Loaded` a
 * screen reader announces it, because after a search the focus is elsewhere.
 */
export function EmptyState({
  children,
  ...message
}: {
  icon: Icon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const told = use(Told);
  const { title } = message;
  const inSight = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const status = told?.current;
    const shown = inSight.current;
    if (!status || !shown) return;
    const empty = () => {
      status.textContent = '';
      shown.removeAttribute('aria-hidden');
    };
    status.textContent = title;
    // The live region stands just before it, and reading through the page would read both.
    shown.setAttribute('aria-hidden', 'true');
    const taken = setTimeout(empty, TOLD_MS);
    return () => {
      clearTimeout(taken);
      empty();
    };
  }, [told, title]);
  return (
    <Message {...message} titleRef={inSight}>
      {children && <Further>{children}</Further>}
    </Message>
  );
}

/** A list that failed to load: the error and 'Riprova', in a single row if `line` names what failed. */
function LoadError({
  title = 'Errore nel caricamento dei dati',
  line,
  error,
  hint,
  onRetry,
}: {
  title?: string;
  line?: string;
  error: Error;
  hint?: ReactNode;
  onRetry: () => void;
}) {
  const retry = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} aria-hidden="true" />}
      onClick={({ currentTarget }) => {
        // During the retry the skeleton is shown here.
        focusTitleAbove(currentTarget);
        onRetry();
      }}
    >
      Riprova
    </Button>
  );
  if (line) {
    return (
      <div className={styles.line} role="alert">
        <p>
          {line}: {error.message}
        </p>
        {retry}
      </div>
    );
  }
  return (
    <Message alarming icon={IconCloudOff} title={title} action={retry}>
      <Text>{error.message}</Text>
      {hint && <Further>{hint}</Further>}
    </Message>
  );
}

/** The parts of a query that `Loaded` uses; any TanStack query fits. */
type LoadedQuery<Data> = {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
};

/** Nothing has this id, or nothing could have it because the URL was truncated or mistyped. */
const NOTHING_THERE: ReadonlySet<number> = new Set([404, 422]);

/**
 * The states of a list: skeleton, error with 'Riprova', then `children` with the data. Existing data stays visible when
 * a refresh fails. `missing` is shown when the server says that the record does not exist.
 */
export function Loaded<Data>(list: LoadedProps<Data>) {
  const told = useRef<HTMLSpanElement>(null);
  return (
    <Told value={told}>
      {/* The loading and error states announce themselves. */}
      <span ref={told} role="status" className="visually-hidden" />
      <Stages {...list} />
    </Told>
  );
}

type LoadedProps<Data> = {
  query: LoadedQuery<Data>;
  skeleton: ReactNode;
  errorTitle?: string;
  /** Replaces the title when another list of the page already explains the failure at length. */
  errorLine?: string;
  errorHint?: ReactNode;
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
};

function Stages<Data>({
  query,
  skeleton,
  errorTitle,
  errorLine,
  errorHint,
  missing,
  children,
}: LoadedProps<Data>) {
  // A long list takes longer than a frame to render; deferring it keeps the page responsive while the skeleton is
  // shown.
  const ready = useDeferredValue(query.data) !== undefined;
  if (ready && query.data !== undefined) return children(query.data);
  if (missing && query.error instanceof ApiError && NOTHING_THERE.has(query.error.status)) return missing;
  // While the account is being left, reads are aborted; if it stays, they are repeated.
  if (query.error && query.error.name !== 'AbortError') {
    return (
      <LoadError
        title={errorTitle}
        line={errorLine}
        error={query.error}
        hint={errorHint}
        onRetry={() => query.refetch()}
      />
    );
  }
  return skeleton;
}

/** Whether the focus is still on the button for more, which may have disappeared with the last page, or nowhere. */
const isFocusFree = (foot: HTMLElement) =>
  document.activeElement === document.body || foot.contains(document.activeElement);

/**
 * Moves the focus to the first new entry in the list that ends with `foot`, wherever it is rendered.
 * @returns stops waiting for entries
 */
function focusFirstNew(foot: HTMLElement): () => void {
  const list = foot.parentElement;
  if (!list) return () => {};
  const entries = () => list.querySelectorAll<HTMLElement>('[data-entry]');
  const before = entries().length;
  const observer = new MutationObserver(() => {
    const first = entries()[before];
    if (!first) return;
    observer.disconnect();
    if (!isFocusFree(foot)) return;
    first.tabIndex = -1;
    // Visually hidden elements are not where the visible ones are, so do not scroll to them.
    first.focus({ preventScroll: first.closest('.visually-hidden') !== null });
  });
  observer.observe(list, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * The foot of a paginated list: how much of it is visible, and the next page or why it failed to load. If its pages turn
 * out to be from before and after a change of the list, it is read again, once. `exact` means that there are no more than
 * `total`.
 */
export function LoadMore({
  shown,
  total,
  exact = true,
  feminine = false,
  pages: { data, hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError, refetch, error },
}: {
  shown: number;
  total: number;
  exact?: boolean;
  /** Grammatical gender of the entries' noun. */
  feminine?: boolean;
  /** An infinite query of TanStack, or something with the same interface. */
  pages: {
    data?: { pages: Parameters<typeof isOutdated>[0] };
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
    isFetchNextPageError?: boolean;
    refetch?: () => unknown;
    error?: Error | null;
  };
}) {
  const foot = useRef<HTMLDivElement>(null);
  const stopWaiting = useRef(() => {});
  const outdated = useMemo(() => isOutdated(data?.pages ?? []), [data]);
  useEffect(() => {
    if (outdated) refetch?.();
  }, [outdated, refetch]);
  const failed = isFetchNextPageError === true && !isFetchingNextPage;
  useEffect(() => {
    if (failed) stopWaiting.current();
  }, [failed]);
  return (
    <Group ref={foot} justify="space-between" mt="md" gap="sm">
      <Text c="dimmed" size="sm" role="status">
        {figure(shown)} di {exact ? figure(total) : `oltre ${figure(total)}`}
      </Text>
      {failed && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {error?.message}
        </Text>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => {
            if (foot.current) stopWaiting.current = focusFirstNew(foot.current);
            fetchNextPage();
          }}
        >
          {failed ? 'Riprova' : feminine ? 'Mostra altre' : 'Mostra altri'}
        </Button>
      )}
    </Group>
  );
}
