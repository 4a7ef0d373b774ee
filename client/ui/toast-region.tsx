import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { dismissToast, type Toast, useToast } from '#client/lib/toast.ts';
import styles from './toast-region.module.css';

/** How long a success stays: enough to read a title and two lines. */
const READING_MS = 10_000;
/** After this even a failure that nobody closed is removed (spec §9). */
const REMOVAL_MS = 1_000_000;

/** Top edge of a toast at the top, below the header; matches the style sheet. */
const TOP_PX = 68;
/** Distance between a toast, the dialog beside it and the edge of the screen. */
const EDGE_PX = 24;

/** Below the header, above the buttons at the foot of a form, or at the edge of the screen: beside its dialog, or below all. */
type Place = 'top' | 'foot' | 'side';

/** Bottom edge of a toast at the foot, measured from the top of the screen; matches the style sheet. */
const footEdge = () => innerHeight * 0.95 - 72;

/** The box of a title's text, because the heading itself is as wide as the page. */
function wordsOf(title: Element): DOMRect {
  const words = document.createRange();
  words.selectNodeContents(title);
  return words.getBoundingClientRect();
}

/**
 * Chooses a place where a toast covers neither the focused element, such as the field being typed in, nor its dialog;
 * and, if possible, neither the button that submits, nor the page title, nor the entries of the menu that covers the
 * page.
 */
function usePlace(card: RefObject<HTMLElement | null>): Place {
  const [place, setPlace] = useState<Place>('top');
  useLayoutEffect(() => {
    const look = () => {
      const shown = card.current;
      const focused = document.activeElement;
      const region = shown?.closest('section')?.getBoundingClientRect();
      if (!shown || !region || shown.contains(focused)) return;
      const toast = shown.getBoundingClientRect();
      const field = focused?.closest('input, textarea, select, button, a')?.getBoundingClientRect();
      const dialog = focused?.closest('[role=dialog]');
      const title = (dialog ?? document).querySelector('h1, h2');
      const entries = dialog?.querySelectorAll('nav a') ?? [];
      // Computed for the middle, wherever it is now: beside a dialog it would never cover anything in it.
      const left = region.left + (region.width - toast.width) / 2;
      const covers = (top: number, what: DOMRect | undefined) =>
        what &&
        what.bottom > top &&
        what.top < top + toast.height &&
        what.right > left &&
        what.left < left + toast.width;
      const roomBeside = dialog ? innerWidth - dialog.getBoundingClientRect().right : 0;
      /** At its current position, or with the page scrolled to the top, as after submitting a wizard. */
      const coversWords = (element: Element) => {
        const words = wordsOf(element);
        return [0, dialog ? 0 : scrollY].some((scrolled) => covers(TOP_PX - scrolled, words));
      };
      const coversSigns = () => [title, ...entries].some((sign) => sign && coversWords(sign));
      const hidden = covers(TOP_PX, field);
      if (hidden && roomBeside > toast.width + EDGE_PX) return setPlace('side');
      // On a phone the login would lose its button to a failure, which stays.
      const submit = document.querySelector('[type=submit]')?.getBoundingClientRect();
      const isFree = (bottom: number) => ![field, submit].some((what) => covers(bottom - toast.height, what));
      const below = isFree(footEdge()) ? 'foot' : isFree(innerHeight - EDGE_PX) && 'side';
      setPlace(hidden || (below && coversSigns()) ? below || 'foot' : 'top');
    };
    look();
    addEventListener('focusin', look);
    // What is above a button may come after the toast, such as the words that an account was created.
    const resized = new ResizeObserver(look);
    resized.observe(document.body);
    return () => {
      removeEventListener('focusin', look);
      resized.disconnect();
    };
  }, [card]);
  return place;
}

function ToastCard({ title, message, kind, lang }: Toast) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const place = usePlace(card);
  const failure = kind === 'error';
  const held = pointed || focused;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && dismissToast();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(dismissToast, failure ? REMOVAL_MS : READING_MS);
    return () => clearTimeout(timer);
  }, [held, failure]);

  const IconOf = failure ? IconAlertTriangle : IconCircleCheck;
  return (
    <div
      ref={card}
      data-at={place}
      className={`${styles.toast} ${failure ? styles.error : styles.success}`}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <IconOf className={styles.icon} size={22} stroke={1.75} aria-hidden="true" />
      <div className={styles.words} lang={lang}>
        <p className={styles.title}>{title}</p>
        {message && <p className={styles.message}>{message}</p>}
      </div>
      <button
        type="button"
        className={styles.close}
        onClick={dismissToast}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        aria-label="Chiudi notifica"
      >
        <IconX size={20} stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

/**
 * Where toasts appear, once per document. The live region for successes is always present, and a failure is an alert of
 * its own, because screen readers announce what is added. A toast is closed with its button or Esc; a success also
 * disappears by itself unless hovered or focused, a failure stays.
 */
export function ToastRegion() {
  const toast = useToast();
  const card = toast && <ToastCard key={toast.id} {...toast} />;
  const failure = toast?.kind === 'error';
  return (
    <section className={styles.region} aria-label="Notifiche">
      <div role="status" aria-atomic="true">
        {!failure && card}
      </div>
      {failure && (
        <div key={toast.id} role="alert" aria-atomic="true">
          {card}
        </div>
      )}
    </section>
  );
}
