import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { rowsOf } from '#client/lib/list-pages.ts';
import type { AdminInvoice } from '#contract/admin-invoices.ts';
import type { InvoiceStatus } from '#contract/invoices.ts';
import { foundInvoicesQuery } from './api.ts';
import type { Filters, Order } from './desk-filters.tsx';

const sameFilters = (some: Filters, others: Filters) =>
  (Object.keys(some) as (keyof Filters)[]).every((name) => some[name] === others[name]);

const sameOrder = (one: Order, other: Order) => one.sort === other.sort && one.direction === other.direction;

type Selected = ReadonlySet<string | number>;
const NONE: Selected = new Set();

/** The invoices that were just given a state, which can be undone. */
export type Marked = {
  numbers: string[];
  status: InvoiceStatus;
  /** Whether the focus goes to the way back: it does not if the user moved it while they were being marked. */
  takesFocus: boolean;
};

/**
 * The selected invoices, or those that were marked with the last selection. Other filters clear both; another order keeps
 * what the list then begins with, unless all that is found was selected together.
 * @param list the list of these filters, in this order
 */
export function useSelection(
  filters: Filters,
  order: Order,
  list: { data?: { pages: readonly { items: AdminInvoice[] }[] }; isPlaceholderData: boolean },
) {
  const [selected, setSelected] = useKeptState(`selected ${JSON.stringify(filters)}`, NONE);
  /**
   * Whether some may be selected that the list has not read, which are read again with it: everything found was selected
   * together, or the session was lost meanwhile and the list begins anew.
   */
  const [whole, setWhole] = useState(selected.size > 0);
  const found = useQuery({ ...foundInvoicesQuery(filters), enabled: whole });
  const [marked, setMarked] = useState<Marked | null>(null);
  /** The filters under which rows were selected. */
  const [narrowed, setNarrowed] = useState(filters);
  if (filters !== narrowed) {
    setNarrowed(filters);
    if (!sameFilters(filters, narrowed)) {
      setSelected(NONE);
      setWhole(false);
      setMarked(null);
    }
  }
  /** The order in which rows were selected. */
  const [ordered, setOrdered] = useState(order);
  if (list.data && !list.isPlaceholderData && !sameOrder(order, ordered)) {
    setOrdered(order);
    if (!whole) {
      // The list begins anew: a row further down would join a later selection unseen.
      const begun: Selected = new Set(rowsOf(list.data.pages).map(({ number }) => number));
      setSelected(new Set([...selected].filter((number) => begun.has(number))));
    }
  }
  const select = useCallback(
    (keys: readonly (string | number)[], chosen: boolean) => {
      setMarked(null);
      // Several at once are all rows of the list: those that it has not read go with them.
      const isAll = !chosen && keys.length > 1;
      if (isAll) setWhole(false);
      setSelected((current) => {
        const next = new Set(isAll ? NONE : current);
        for (const key of keys) {
          if (chosen) next.add(key);
          else next.delete(key);
        }
        return next;
      });
    },
    [setSelected],
  );
  const latest = useRef(selected);
  latest.current = selected;
  const [isReadingAll, setReadingAll] = useState(false);
  /** Selects everything found, unless something else is selected meanwhile. Rejects when it cannot be read. */
  async function selectAll() {
    setReadingAll(true);
    try {
      const { data, error } = await found.refetch();
      if (error) throw error;
      if (!data || latest.current !== selected) return;
      setWhole(true);
      setSelected(new Set(data.map(({ number }) => number)));
    } finally {
      setReadingAll(false);
    }
  }
  /** Ends the selection, with what was marked with it, if it can be undone. */
  const deselect = useCallback(
    (done: Marked | null) => {
      setSelected(NONE);
      setWhole(false);
      setMarked(done);
    },
    [setSelected],
  );
  const read = rowsOf([...(list.data?.pages ?? []), { items: (whole && found.data) || [] }]);
  return {
    selected,
    chosen: read.filter(({ number }) => selected.has(number)),
    select,
    selectAll,
    isReadingAll,
    marked,
    deselect,
  };
}
