import { Button, Group, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { invoiceCount } from '#client/app/invoices/invoice-words.ts';
import { toast } from '#client/lib/toast.ts';
import { counted, DOT } from '#client/lib/words.ts';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice, MAX_SELECTED } from '#contract/admin-invoices.ts';
import { figure } from '#contract/figures.ts';
import type { InvoiceStatus, InvoiceTotals } from '#contract/invoices.ts';
import { formatEuro, sumOfEuro } from '#contract/money.ts';
import { useSetSelectedStatus } from './api.ts';
import type { Marked } from './selection.ts';
import styles from './selection-bar.module.css';

/** How many invoices were found; without totals, there are more than that. */
type Found = { total: number; totals: InvoiceTotals | null };

/** While the bar covers the top of the page, what is focused above it is scrolled to below it. */
function useClearOfFocus() {
  const { ref, height } = useElementSize<HTMLDivElement>();
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingTop = height > 0 ? `calc(8rem + ${height}px)` : '';
    return () => {
      style.scrollPaddingTop = '';
    };
  }, [height]);
  return ref;
}

/**
 * Keeps the rows below in their place when the bar comes or goes: a second press at once is then on what it is meant for.
 * Browsers do so only on a page that is scrolled, and Safari not even then. A page that is too short to scroll as far is made
 * longer for as long as the bar is shown.
 */
function useRowsInPlace(isShown: boolean) {
  const bar = useRef<HTMLDivElement>(null);
  /** How much of the page it takes; null until the list is shown, when nothing has a place yet. */
  const taken = useRef<number | null>(null);
  useLayoutEffect(() => {
    const { current: element } = bar;
    const before = taken.current;
    taken.current =
      element && isShown
        ? element.offsetHeight + Number.parseFloat(getComputedStyle(element).marginBottom)
        : 0;
    if (before === null) return;
    const { style } = document.body;
    const from = window.scrollY;
    const by = taken.current - before;
    window.scrollBy(0, by);
    const missing = by - (window.scrollY - from);
    // Removed only after having scrolled back.
    style.paddingBottom = missing > 0 ? `${missing}px` : '';
    if (missing > 0) window.scrollBy(0, missing);
  }, [isShown]);
  useEffect(
    () => () => {
      document.body.style.paddingBottom = '';
    },
    [],
  );
  return bar;
}

/** A state as said of `count` invoices. */
const stateOf = (status: InvoiceStatus, count: number) =>
  status === 'Pagata' && count !== 1 ? 'Pagate' : status;

const deletedMeanwhile = (count: number) =>
  `${counted(count, 'non modificata perché eliminata', 'non modificate perché eliminate')} nel frattempo`;

/** What was marked, and the way back: marked invoices may leave the list, and no filter finds them again. */
function Undo({ marked, busy, onUndo }: { marked: Marked; busy: boolean; onUndo: () => void }) {
  const { numbers, status, takesFocus } = marked;
  const button = useRef<HTMLButtonElement>(null);
  // It takes the place of the button that was pressed.
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <>
      {/* No status: the toast has said it. */}
      <Text className={styles.words} fw={600}>
        {`${counted(numbers.length, 'fattura segnata', 'fatture segnate')} come ${stateOf(status, numbers.length)}`}
      </Text>
      <Button
        ref={button}
        className={styles.cancel}
        size="compact-md"
        variant="default"
        loading={busy}
        onClick={onUndo}
      >
        Annulla la modifica
      </Button>
    </>
  );
}

/**
 * The bar of actions for several selected rows; afterwards, of the way back. It is there before any row is selected, empty,
 * because a screen reader announces what is written into a status that it knows, not a status that appears with its words.
 * @param marked with the last selection
 * @param shown how many rows the list has read
 * @param found the figures of everything that the filters find; null while it is not known
 * @param onSelectAll selects all of it, if one action can mark so many
 * @param onDone called at the end of the selection, with what was marked, or when that was undone; and with whether the focus
 *   goes to what comes then
 */
export function SelectionBar({
  chosen,
  marked,
  shown,
  found,
  isReadingAll,
  onSelectAll,
  onDone,
}: {
  chosen: readonly AdminInvoice[];
  marked: Marked | null;
  shown: number;
  found: Found | null;
  isReadingAll: boolean;
  onSelectAll: () => Promise<void>;
  onDone: (done: Marked | null, takesFocus: boolean) => void;
}) {
  const setStatus = useSetSelectedStatus();
  const some = chosen.length > 0;
  const others = (status: InvoiceStatus) => chosen.filter((invoice) => invoice.status !== status);
  const unpaid = others('Pagata').length;
  const isTooMany = (count: number) => count > MAX_SELECTED;
  const tooMany = isTooMany(unpaid) || isTooMany(chosen.length - unpaid);
  const isPart = found !== null && (found.totals === null || chosen.length < found.total);
  const mayHaveAll = found !== null && found.totals !== null && !isTooMany(found.total);
  /** All that is in sight is selected, as by the box above it, but not all that was found. */
  const onlyShown = some && isPart && chosen.length >= shown;
  const selectInPlace = useFocusInPlace();
  const markInPlace = useFocusInPlace();
  const isShown = some || marked !== null;
  const bar = useMergedRef(useClearOfFocus(), useRowsInPlace(isShown));
  /** `takesFocus`: the user has not moved the focus. While what was pressed is disabled or gone, nothing has it. */
  async function send(change: Parameters<typeof setStatus.mutateAsync>[0]) {
    const pressed = document.activeElement;
    const changed = await setStatus.mutateAsync(change);
    return { ...changed, takesFocus: [pressed, document.body].includes(document.activeElement) };
  }
  const mark = (numbers: string[], status: InvoiceStatus) =>
    markInPlace(async () => {
      const { takesFocus, ...change } = await send({ numbers, status });
      toast({ title: ADMIN_INVOICE_TEXTS.statusChanged(status), message: invoiceCount(change.changed) });
      onDone(change.numbers?.length ? { numbers: change.numbers, status, takesFocus } : null, takesFocus);
    });
  const undo = (done: Marked) =>
    markInPlace(async () => {
      const { numbers } = done;
      const status = done.status === 'Pagata' ? 'Da Pagare' : 'Pagata';
      const { takesFocus, changed, deleted = 0 } = await send({ numbers, status, skipDeleted: true });
      const none = deleted === numbers.length;
      toast({
        title: none ? ADMIN_INVOICE_TEXTS.statusFailed : ADMIN_INVOICE_TEXTS.statusChanged(status),
        message: [!none && invoiceCount(changed), deleted > 0 && deletedMeanwhile(deleted)]
          .filter(Boolean)
          .join('; '),
        kind: none ? 'error' : 'success',
      });
      onDone(null, takesFocus);
    });
  const isMarking = (status: InvoiceStatus) => setStatus.isPending && setStatus.variables.status === status;
  return (
    <div ref={bar} className={isShown ? styles.bar : undefined}>
      {/* Without the buttons, whose names would be read out again with each row. */}
      <Text className={styles.words} fw={600} role="status">
        {some && (
          <>
            <span className={styles.count}>
              {counted(chosen.length, 'fattura selezionata', 'fatture selezionate')}
              {onlyShown && ` su ${found.totals === null ? 'oltre ' : ''}${figure(found.total)}`}
            </span>
            <span className={styles.dot}>{DOT}</span>
            {formatEuro(sumOfEuro(chosen))}
            {unpaid < chosen.length && ` (${unpaid > 0 ? figure(unpaid) : 'nessuna'} da pagare)`}
            {tooMany && `. ${ADMIN_INVOICE_TEXTS.tooMany}.`}
            {onlyShown &&
              !mayHaveAll &&
              !tooMany &&
              `. ${ADMIN_INVOICE_TEXTS.tooMany}: per selezionarle tutte restringi la ricerca.`}
          </>
        )}
      </Text>
      {some && (
        <Button
          className={styles.cancel}
          size="compact-md"
          variant="default"
          aria-label="Annulla la selezione"
          onClick={() => onDone(null, true)}
        >
          Annulla
        </Button>
      )}
      {some && (
        <Group className={styles.actions} gap="xs" role="group" aria-label="Azioni sulle fatture selezionate">
          {isPart && mayHaveAll && (
            <Button
              size="compact-md"
              variant="default"
              disabled={setStatus.isPending}
              loading={isReadingAll}
              onClick={() => selectInPlace(onSelectAll)}
            >
              {/* It may break before these words, as on a phone. */}
              {`Seleziona tutte\u00a0le\u00a0${figure(found.total)}`}
            </Button>
          )}
          {(['Pagata', 'Da Pagare'] as const)
            .map((status) => ({ status, numbers: others(status).map(({ number }) => number) }))
            .filter(({ numbers }) => numbers.length > 0)
            .map(({ status, numbers }) => (
              <Button
                key={status}
                size="compact-md"
                variant={status === 'Pagata' ? 'filled' : 'default'}
                disabled={isTooMany(numbers.length) || (setStatus.isPending && !isMarking(status))}
                loading={isMarking(status)}
                onClick={() => mark(numbers, status)}
              >
                {`Segna\u00a0come ${stateOf(status, numbers.length).replace(' ', '\u00a0')}`}
              </Button>
            ))}
        </Group>
      )}
      {!some && marked && <Undo marked={marked} busy={setStatus.isPending} onUndo={() => undo(marked)} />}
    </div>
  );
}
