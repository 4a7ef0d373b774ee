/** A browser storage that never throws, although the browser's may be damaged, full or blocked. */
export type SafeStorage = {
  /** The text under `key`; null when there is none or it cannot be read. */
  read: (key: string) => string | null;
  /** @returns whether `text` is stored now */
  write: (key: string, text: string) => boolean;
  remove: (key: string) => void;
  /** Removes everything whose key starts with `prefix`. */
  removeAll: (prefix: string) => void;
};

/** The result of `use`, or `otherwise` when the browser refuses. */
function attempt<Result>(use: () => Result, otherwise: Result): Result {
  try {
    return use();
  } catch {
    return otherwise;
  }
}

/** @param open accesses the storage, which already fails where it is blocked */
function safeStorage(open: () => Storage): SafeStorage {
  const remove = (key: string) => attempt(() => open().removeItem(key), undefined);
  return {
    read: (key) => attempt(() => open().getItem(key), null),
    write: (key, text) =>
      attempt(() => {
        open().setItem(key, text);
        return true;
      }, false),
    remove,
    removeAll: (prefix) => {
      for (const key of attempt(() => Object.keys(open()), [])) if (key.startsWith(prefix)) remove(key);
    },
  };
}

/** Kept until the tab is closed. */
export const tabStorage: SafeStorage = safeStorage(() => sessionStorage);
/** Shared by all tabs, and kept when they are closed. */
export const deviceStorage: SafeStorage = safeStorage(() => localStorage);
