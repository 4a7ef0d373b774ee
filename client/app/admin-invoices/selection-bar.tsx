import { Button, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect } from 'react';
import { invoiceCount } from '#client/app/invoices/invoice-words.ts';
import { toast } from '#client/lib/toast.ts';
import { counted, DOT } from '#client/lib/words.ts';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { ADMIN_INVOICE_TEXTS, type AdminInvoice, MAX_SELECTED } from '#contract/admin-invoices.ts';
import { figure } from '#contract/figures.ts';
import { formatEuro, sumOfEuro } from '#contract/money.ts';
import { useSetStatus } from './api.ts';
import styles from './selection-bar.module.css';

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
 * The bar of actions for several selected rows. It is there before any row is selected, empty, because a screen reader
 * announces what is written into a status that it knows, not a status that appears with its words.
 */
export function SelectionBar({ chosen, onDone }: { chosen: readonly AdminInvoice[]; onDone: () => void }) {
  const setStatus = useSetStatus();
  const some = chosen.length > 0;
  const unpaid = chosen.filter(({ status }) => status === 'Da Pagare');
  const paid = chosen.length - unpaid.length;
  const tooMany = unpaid.length > MAX_SELECTED;
  const inPlace = useFocusInPlace();
  const bar = useClearOfFocus();
  const mark = () =>
    inPlace(async () => {
      const numbers = unpaid.map(({ number }) => number);
      const { status, changed } = await setStatus.mutateAsync({ numbers, status: 'Pagata' });
      toast({ title: ADMIN_INVOICE_TEXTS.statusChanged(status), message: invoiceCount(changed) });
      onDone();
    });
  return (
    <div ref={bar} className={some ? styles.bar : undefined}>
      {/* Without the buttons, whose names would be read out again with each row. */}
      <Text fw={600} role="status">
        {some && (
          <>
            {counted(chosen.length, 'fattura selezionata', 'fatture selezionate')}
            {DOT}
            {formatEuro(sumOfEuro(chosen))}
            {paid > 0 && `, ${unpaid.length > 0 ? figure(unpaid.length) : 'nessuna'} da pagare`}
            {tooMany && `. ${ADMIN_INVOICE_TEXTS.tooMany}.`}
          </>
        )}
      </Text>
      {some && (
        <Group gap="xs">
          <Button
            size="compact-md"
            disabled={unpaid.length === 0 || tooMany}
            loading={setStatus.isPending}
            onClick={mark}
          >
            {unpaid.length === 1 ? 'Segna come Pagata' : 'Segna come Pagate'}
          </Button>
          <Button size="compact-md" variant="default" aria-label="Annulla la selezione" onClick={onDone}>
            Annulla
          </Button>
        </Group>
      )}
    </div>
  );
}
