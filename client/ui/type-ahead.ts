import { type KeyboardEvent, useRef } from 'react';
import { foldText } from '#contract/lists.ts';

/** What is typed after a longer pause begins another word, in milliseconds. */
const PAUSE_MS = 700;

/**
 * Where letters typed in a list lead, as in the browser's own select: to the next option that begins with them. The same
 * letter again goes on to the next one with it, from the last to the first.
 * @param current index of the option that the keys have come to; -1 for none
 * @returns its index; -1 if none begins with them
 */
export function optionTyped(labels: readonly string[], typed: string, current: number): number {
  const letters = [...foldText(typed)];
  const same = letters.every((letter) => letter === letters[0]);
  const sought = same ? (letters[0] ?? '') : letters.join('');
  // A word that is being typed may still be that of the current option.
  const start = Math.max(0, same ? current + 1 : current);
  const places = labels.map((_, step) => (start + step) % labels.length);
  return places.find((place) => foldText(labels[place] ?? '').startsWith(sought)) ?? -1;
}

/**
 * For a field with a list that is not searched by typing.
 * @returns tells for each key pressed in it to which option what has been typed leads, `optionTyped`; -1 for other keys
 */
export function useTypeAhead(): (event: KeyboardEvent, labels: readonly string[], current: number) => number {
  const typed = useRef({ text: '', at: 0 });
  return ({ key, timeStamp, ctrlKey, metaKey, altKey, nativeEvent }, labels, current) => {
    // Space opens and closes the list.
    if (key.length > 1 || key === ' ' || ctrlKey || metaKey || altKey || nativeEvent.isComposing) {
      // Any other key but that of capitals ends the word.
      if (key !== 'Shift') typed.current = { text: '', at: 0 };
      return -1;
    }
    const { text, at } = typed.current;
    typed.current = { text: timeStamp - at < PAUSE_MS ? text + key : key, at: timeStamp };
    return optionTyped(labels, typed.current.text, current);
  };
}
