import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { dismissToast, type Toast, useToast } from './toast.ts';
import styles from './toast-region.module.css';

/** Time a success stays: enough to read a title and two lines. */
const READING_MS = 10_000;
/** After this even a failure that nobody closed is removed (spec §9). */
const REMOVAL_MS = 1_000_000;

/** Where a toast begins when it stands at the top, under the header: as in the style sheet. */
const TOP_PX = 68;
/** Between a toast, the dialog beside it and the edge of the screen. */
const EDGE_PX = 24;

/** Under the header, above the buttons at the foot of a form, or beside the dialog it is in. */
type Place = 'top' | 'foot' | 'side';

/** Lower edge of a toast at the foot, from the top of the screen: as in the style sheet. */
const footEdge = () => innerHeight * 0.95 - 72;

/** Where the words of a title stand: the heading itself is as wide as the page. */
function wordsOf(title: Element): DOMRect {
  const words = document.createRange();
  words.selectNodeContents(title);
  return words.getBoundingClientRect();
}

/**
 * Where a toast does not lie over what has the focus, such as the field being typed in, nor over the dialog it is in; nor,
 * if that can be, over the title of the page or the entries of the menu that covers it.
 */
function usePlace(card: RefObject<HTMLElement | null>): Place {
  const [place, setPlace] = useState<Place>('top');
  useLayoutEffect(() => {
    const look = () => {
      const toast = card.current?.getBoundingClientRect();
      const region = card.current?.closest('section')?.getBoundingClientRect();
      const focused = document.activeElement;
      if (!toast || !region || card.current?.contains(focused)) return;
      const field = focused?.matches('input, textarea, select, button, a') && focused.getBoundingClientRect();
      const dialog = focused?.closest('[role=dialog]');
      const title = (dialog ?? document).querySelector('h1, h2');
      const entries = dialog?.querySelectorAll('nav a') ?? [];
      // In the middle, wherever it stands now: beside a dialog it would lie over nothing in it.
      const left = region.left + (region.width - toast.width) / 2;
      const covers = (top: number, what: DOMRect) =>
        what.bottom > top &&
        what.top < top + toast.height &&
        what.right > left &&
        what.left < left + toast.width;
      const roomBeside = dialog ? innerWidth - dialog.getBoundingClientRect().right : 0;
      /** Now, or once the page is at its top again, as it is after a form of several steps was sent. */
      const coversWords = (element: Element) => {
        const { x, y, width, height } = wordsOf(element);
        const scrolled = dialog ? 0 : scrollY;
        return [y, y + scrolled].some((at) => covers(TOP_PX, new DOMRect(x, at, width, height)));
      };
      const coversSigns = () => [...(title ? [title] : []), ...entries].some(coversWords);
      const hidden = field && covers(TOP_PX, field);
      if (hidden && roomBeside > toast.width + EDGE_PX) return setPlace('side');
      const footIsFree = !field || !covers(footEdge() - toast.height, field);
      const free = !hidden && !(footIsFree && coversSigns());
      setPlace(free ? 'top' : 'foot');
    };
    look();
    addEventListener('focusin', look);
    return () => removeEventListener('focusin', look);
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
 * Where toasts appear, once per document. The live region of successes is always there, and a failure is an alert of its
 * own: screen readers announce what enters. A toast is closed with its button or with Esc; a success leaves by itself
 * unless pointed at or focused, a failure stays.
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
