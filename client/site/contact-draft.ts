import type { Attempt } from '#client/lib/idempotency.ts';

const KEY = 'contact-draft';

/** The fields of a form that hold text or a choice, the honeypot apart. */
function fieldsOf(form: HTMLFormElement): (HTMLInputElement | HTMLTextAreaElement)[] {
  return [...form.elements].filter(
    (field): field is HTMLInputElement | HTMLTextAreaElement =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.name !== 'website',
  );
}

function readDraft(): Record<string, unknown> {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof draft === 'object' && draft !== null ? { ...draft } : {};
  } catch {
    // A blocked or damaged storage is no reason to stop anybody from writing to us.
    return {};
  }
}

/** Keeps what was typed until the tab is closed, and the last attempt to send it. */
export function saveDraft(form: HTMLFormElement, attempt: Attempt | null): void {
  const { website: _, ...draft } = Object.fromEntries(new FormData(form));
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, attempt }));
  } catch {
    // As above.
  }
}

/** Names of the groups of radio buttons of which another than the first choice was made. */
function touchedGroups(form: HTMLFormElement): Set<string> {
  const radios = fieldsOf(form).filter(
    (field) => field instanceof HTMLInputElement && field.type === 'radio',
  );
  const chosen = (radios as HTMLInputElement[]).filter((radio) => radio.checked && !radio.defaultChecked);
  return new Set(chosen.map(({ name }) => name));
}

/**
 * Fills the fields that are still untouched with what was typed before a reload; what is there already stays.
 * @returns the last attempt to send it, which may have arrived
 */
export function restoreDraft(form: HTMLFormElement): Attempt | null {
  const draft = readDraft();
  const touched = touchedGroups(form);
  for (const field of fieldsOf(form)) {
    const kept = draft[field.name];
    if (typeof kept !== 'string') continue;
    if (field instanceof HTMLInputElement && field.type === 'radio') {
      if (!touched.has(field.name)) field.checked = field.value === kept;
    } else if (field.value === '') field.value = kept;
  }
  return (draft.attempt as Attempt | undefined) ?? null;
}

/** Forgets the draft, once it was sent. */
export function clearDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
