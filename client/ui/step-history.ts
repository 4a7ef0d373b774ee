import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { randomKey } from '#client/lib/idempotency.ts';

/** Where a form is in a history entry: the visible step, and whether the previous entry shows the step before it. */
type Place = { step: number; follows: boolean };

/** A wizard's state in a history entry; `form` distinguishes the forms that it has been filled in as, one after the other. */
type Entry = Place & { form: string };

/** The wizard's part of a history entry's state; null when it has none. */
function entryOf(state: unknown): Entry | null {
  if (typeof state !== 'object' || state === null || !('wizard' in state)) return null;
  return state.wizard as Entry;
}

/**
 * Keeps a wizard's steps in the browser's history, so that its back and forward buttons move between them.
 * @param step the visible step
 * @param show shows another
 * @param reachable the step to show instead of one that the history leads to: an earlier one if that is invalid
 * @param anew whether the form takes the place of another, whose entries show none of its steps
 * @returns `note` stores what the current history entry shows (`replace`) or adds an entry; `goBack` shows the step before
 */
export function useStepHistory(
  step: number,
  show: (step: number) => void,
  reachable: (step: number) => number,
  anew: boolean,
) {
  const location = useLocation();
  const navigate = useNavigate();
  const entry = entryOf(location.state);
  const [form] = useState(() => (!anew && entry?.form) || randomKey());
  const place = entry?.form === form ? entry : null;

  function note(next: Place, replace: boolean) {
    const { pathname, search, state } = location;
    // Who shows a step scrolls to its title.
    const options = { replace, preventScrollReset: true };
    void navigate({ pathname, search }, { ...options, state: { ...state, wizard: { ...next, form } } });
  }

  /** The step that going back should show; null when nobody asked for one. */
  const wanted = useRef<number | null>(null);

  function goBack() {
    // A second press before the first has arrived would leave the step before, too, or even the page.
    if (wanted.current !== null) return;
    if (place?.follows && place.step === step) {
      wanted.current = step - 1;
      return navigate(-1);
    }
    show(step - 1);
    note({ step: step - 1, follows: false }, true);
  }

  const arrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry of the history that is come to
  useEffect(() => {
    const opened = !arrived.current;
    arrived.current = true;
    const wish = wanted.current;
    wanted.current = null;
    // If the entry has no step, or one that cannot be shown, store the step that is shown.
    if (place === null || (opened && place.step !== step)) return note({ step, follows: false }, true);
    // The entry may show an earlier step than when the next entry was created, because an earlier step was invalid.
    const asked = wish ?? place.step;
    if (opened || (asked === step && place.step === step)) return;
    const next = reachable(asked);
    // Not inside the effect, while React is still rendering.
    queueMicrotask(() => {
      if (next !== step) show(next);
      // Otherwise going back from the next step would lead to a step that this entry could not show.
      if (next !== place.step) note({ step: next, follows: false }, true);
    });
  }, [location.key]);

  return { note, goBack };
}
