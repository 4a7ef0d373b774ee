import { NativeSelect } from '@mantine/core';
import { type RefObject, useEffect } from 'react';
import { useNavigationType, useSearchParams } from 'react-router';
import { SearchInput } from '#client/ui/search-input.tsx';
import styles from './filters.module.css';

/** Longer than the parts above a list take to come. */
const ARRIVAL_MS = 3000;
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Brings a list into sight that somebody has come to with a search in the address, and keeps it there while what stands above
 * it is still coming, or until they do something.
 */
export function useSoughtInSight(list: RefObject<HTMLElement | null>): void {
  const asked = useSearchParams()[0].get('cerca') ?? '';
  const came = useNavigationType() === 'PUSH';
  useEffect(() => {
    if (!asked || !came) return;
    const show = new ResizeObserver(() => list.current?.scrollIntoView({ block: 'start' }));
    show.observe(document.body);
    const stop = () => show.disconnect();
    const timer = setTimeout(stop, ARRIVAL_MS);
    for (const act of ACTS) addEventListener(act, stop, { once: true, passive: true });
    return () => {
      stop();
      clearTimeout(timer);
      for (const act of ACTS) removeEventListener(act, stop);
    };
  }, [asked, came, list]);
}

type Choice = { value: string; label: string };

/** The search and the choices above a list. */
export function Filters({
  search,
  searchLabel,
  onSearch,
  choices,
}: {
  search: string;
  searchLabel: string;
  onSearch: (text: string) => void;
  choices: readonly {
    label: string;
    value: string;
    options: readonly Choice[];
    onChange: (value: string) => void;
  }[];
}) {
  return (
    <search className={styles.filters}>
      <SearchInput className={styles.search} aria-label={searchLabel} value={search} onChange={onSearch} />
      {choices.map(({ label, value, options, onChange }) => (
        <NativeSelect
          key={label}
          aria-label={label}
          className={styles.choice}
          value={value}
          data={[...options]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ))}
    </search>
  );
}
