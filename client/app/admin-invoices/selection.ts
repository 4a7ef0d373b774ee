import { useCallback, useState } from 'react';
import { rowsOf } from '#client/lib/list-pages.ts';
import type { AdminInvoice } from '#contract/admin-invoices.ts';
import type { Filters, Order } from './desk-filters.tsx';

const sameFilters = (some: Filters, others: Filters) =>
  (Object.keys(some) as (keyof Filters)[]).every((name) => some[name] === others[name]);

const sameOrder = (one: Order, other: Order) => one.sort === other.sort && one.direction === other.direction;

type Selected = ReadonlySet<string | number>;

/**
 * The selected invoices, by number. Other filters clear the selection; another order keeps what the list then begins with.
 * @param list the list of these filters, in this order
 */
export function useSelection(
  filters: Filters,
  order: Order,
  list: { data?: { pages: readonly { items: AdminInvoice[] }[] }; isPlaceholderData: boolean },
) {
  const [selected, setSelected] = useState<Selected>(new Set());
  /** The filters under which rows were selected. */
  const [narrowed, setNarrowed] = useState(filters);
  if (filters !== narrowed) {
    setNarrowed(filters);
    if (selected.size > 0 && !sameFilters(filters, narrowed)) setSelected(new Set());
  }
  /** The order in which rows were selected. */
  const [ordered, setOrdered] = useState(order);
  if (list.data && !list.isPlaceholderData && !sameOrder(order, ordered)) {
    // The list begins anew: a row further down would join a later selection unseen.
    setOrdered(order);
    const begun: Selected = new Set(rowsOf(list.data.pages).map(({ number }) => number));
    setSelected(new Set([...selected].filter((number) => begun.has(number))));
  }
  const select = useCallback(
    (keys: readonly (string | number)[], chosen: boolean) =>
      setSelected((current) => {
        const next = new Set(current);
        for (const key of keys) {
          if (chosen) next.add(key);
          else next.delete(key);
        }
        return next;
      }),
    [],
  );
  const deselect = useCallback(() => setSelected(new Set()), []);
  return { selected, select, deselect };
}
