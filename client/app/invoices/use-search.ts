import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { TYPING_PAUSE_MS } from '#client/lib/typing.ts';

/**
 * What a select that searches on the server needs. What is `sought` follows the text a little later; until its answer is there the
 * options of the search before are not offered, so that nobody who types fast picks one of them.
 * @param label what the field shows for the chosen option: its own name is no search
 */
export function useSearch(label: string) {
  const [search, setSearch] = useState('');
  const wanted = search === label ? '' : search.trim();
  const [sought] = useDebouncedValue(wanted, TYPING_PAUSE_MS);
  return { search, setSearch, sought, typing: sought !== wanted };
}
