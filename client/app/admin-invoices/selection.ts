import { useCallback, useState } from 'react';
import { rowsOf } from '#client/lib/list-pages.ts';
import type { AdminInvoice } from '#contract/admin-invoices.ts';
import type { InvoiceStatus } from '#contract/invoices.ts';
import type { Filters, Order } from './desk-filters.tsx';

const sameFilters = (some: Filters, others: Filters) =>
  (Object.keys(some) as (keyof Filters)[]).every((name) => some[name] === others[name]);

const sameOrder = (one: Order, other: Order) => one.sort === other.sort && one.direction === other.direction;

type Selected = ReadonlySet<string | number>;

/** The invoices that were just given a state, which can be undone. */
export type Marked = {
  numbers: string[];
  status: InvoiceStatus;
  /** Whether the focus goes to the way back: it does not if the user moved it while they were being marked. */
  takesFocus: boolean;
};

/**
 * The selected invoices, by number, or those that were marked with the last selection. Other filters clear both; another
 * order keeps what the list then begins with.
 * @param list the list of these filters, in this order
 */
export function useSelection(
  filters: Filters,
  order: Order,
  list: { data?: { pages: readonly { items: AdminInvoice[] }[] }; isPlaceholderData: boolean },
) {
  const [selected, setSelected] = useState<Selected>(new Set());
  const [marked, setMarked] = useState<Marked | null>(null);
  /** The filters under which rows were selected. */
  const [narrowed, setNarrowed] = useState(filters);
  if (filters !== narrowed) {
    setNarrowed(filters);
    if (!sameFilters(filters, narrowed)) {
      if (selected.size > 0) setSelected(new Set());
      setMarked(null);
    }
  }
  /** The order in which rows were selected. */
  const [ordered, setOrdered] = useState(order);
  if (list.data && !list.isPlaceholderData && !sameOrder(order, ordered)) {
    // The list begins anew: a row further down would join a later selection unseen.
    setOrdered(order);
    const begun: Selected = new Set(rowsOf(list.data.pages).map(({ number }) => number));
    setSelected(new Set([...selected].filter((number) => begun.has(number))));
  }
  const select = useCallback((keys: readonly (string | number)[], chosen: boolean) => {
    setMarked(null);
    setSelected((current) => {
      const next = new Set(current);
      for (const key of keys) {
        if (chosen) next.add(key);
        else next.delete(key);
      }
      return next;
    });
  }, []);
  /** Ends the selection, with what was marked with it, if it can be undone. */
  const deselect = useCallback((done: Marked | null) => {
    setSelected(new Set());
    setMarked(done);
  }, []);
  return { selected, select, marked, deselect };
}
