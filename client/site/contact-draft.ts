import type { Attempt } from '#client/lib/idempotency.ts';

// Without client/lib/storage.ts: shared with a public page, it would be one more file of the login and the application.
// The prefix is that of client/lib/drafts.ts: whoever leaves an account leaves no draft of this form in the tab either.
const KEY = 'trasvia:draft:contact';

/** The text fields and choices of a form, without the honeypot. */
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
    // A blocked or damaged storage must not prevent a contact request.
    return {};
  }
}

/** Stores the input and the last submission attempt until the tab is closed. */
export function saveDraft(form: HTMLFormElement, attempt: Attempt | null): void {
  const { website: _, ...draft } = Object.fromEntries(new FormData(form));
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, attempt }));
  } catch {
    // As above.
  }
}

/** Names of the radio groups in which another than the default option was chosen. */
function touchedGroups(form: HTMLFormElement): Set<string> {
  const radios = fieldsOf(form).filter(
    (field) => field instanceof HTMLInputElement && field.type === 'radio',
  );
  const chosen = (radios as HTMLInputElement[]).filter((radio) => radio.checked && !radio.defaultChecked);
  return new Set(chosen.map(({ name }) => name));
}

/**
 * Restores the input from before a reload into fields that are still untouched; present input stays.
 * @returns the last submission attempt, which may have arrived
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

/** Deletes the draft after it was sent. */
export function clearDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
