/** What happened to the account of a browser. */
type SessionEvent = 'signed-in' | 'signed-out';

/** How the tabs of one browser tell each other; null in a browser that cannot. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('trasvia:session');

/** Tells the other tabs that an account was entered or left here. */
export function announceSession(event: SessionEvent): void {
  channel?.postMessage(event satisfies SessionEvent);
}

/** Calls `listener` whenever another tab enters or leaves an account. @returns a function that stops it */
export function onSessionElsewhere(listener: (event: SessionEvent) => void): () => void {
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-in' || data === 'signed-out') listener(data);
  };
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
