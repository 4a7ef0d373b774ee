import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { type Icon, IconCloudOff, IconRefresh } from '@tabler/icons-react';
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useDeferredValue,
  useEffect,
  useRef,
} from 'react';
import { ApiError } from '#client/lib/api.ts';
import styles from './list-states.module.css';
import { focusTitleAbove } from './opener.ts';

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
export const LiveRegion = createContext<RefObject<HTMLElement | null> | null>(null);

/** Long enough for every screen reader to pick it up. */
const ANNOUNCED_MS = 10_000;

/**
 * Announces `words` in a live region. They are removed afterwards, so that nobody who reads through the page finds them.
 * @param onRemoved called then
 * @returns removes them at once
 */
export function announce(region: HTMLElement, words: string, onRemoved?: () => void): () => void {
  const remove = () => {
    clearTimeout(timer);
    region.textContent = '';
    onRemoved?.();
  };
  region.textContent = words;
  const timer = setTimeout(remove, ANNOUNCED_MS);
  return remove;
}

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
  const liveRegion = use(LiveRegion);
  const { title } = message;
  const inSight = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const status = liveRegion?.current;
    const shown = inSight.current;
    if (!status || !shown) return;
    // The live region stands just before it, and reading through the page would read both.
    shown.setAttribute('aria-hidden', 'true');
    return announce(status, title, () => shown.removeAttribute('aria-hidden'));
  }, [liveRegion, title]);
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
  const liveRegion = useRef<HTMLSpanElement>(null);
  return (
    <LiveRegion value={liveRegion}>
      {/* The loading and error states announce themselves. */}
      <span ref={liveRegion} role="status" className="visually-hidden" />
      <Stages {...list} />
    </LiveRegion>
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
  // First, because a record read before may have been deleted since.
  if (missing && query.error instanceof ApiError && NOTHING_THERE.has(query.error.status)) return missing;
  if (ready && query.data !== undefined) return children(query.data);
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
