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

/** Keeps what was typed until the tab is closed. */
export function saveDraft(form: HTMLFormElement): void {
  const { website: _, ...draft } = Object.fromEntries(new FormData(form));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // As above.
  }
}

/** Fills the fields that are still untouched with what was typed before a reload; what is there already stays. */
export function restoreDraft(form: HTMLFormElement): void {
  const draft = readDraft();
  for (const field of fieldsOf(form)) {
    const kept = draft[field.name];
    if (typeof kept !== 'string') continue;
    if (field instanceof HTMLInputElement && field.type === 'radio') field.checked = field.value === kept;
    else if (field.value === '') field.value = kept;
  }
}

/** Forgets the draft, once it was sent. */
export function clearDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
