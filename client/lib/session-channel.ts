/** What happened to the browser's session. */
type SessionEvent = 'signed-in' | 'signed-out';

/** Connects the tabs of one browser, unless it refuses that, as Firefox does where it blocks cookies. */
let channel: BroadcastChannel | undefined;
try {
  channel = new BroadcastChannel('trasvia:session');
} catch {
  // A tab that hears nothing of the others notices at its next request.
}

/** Tells the other tabs that an account was signed in or out here. */
export function announceSession(event: SessionEvent): void {
  channel?.postMessage(event satisfies SessionEvent);
}

/** Calls `listener` whenever another tab signs in or out. @returns a function that stops it */
export function onSessionElsewhere(listener: (event: SessionEvent) => void): () => void {
  const hear = ({ data }: MessageEvent<SessionEvent>) => listener(data);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}
