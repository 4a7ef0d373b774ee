import { notifications } from '@mantine/notifications';

/** Time a toast stays: long enough to read a title and two lines aloud. */
const READING_MS = 8_000;

/** What a toast says. `error` is the destructive kind of spec §8. */
export type Toast = { title: string; message?: string | undefined; kind?: 'success' | 'error' };

/** Shows a toast; the one before it makes way, so that there is one at a time (spec §9). */
export function toast({ title, message, kind = 'success' }: Toast): void {
  notifications.clean();
  notifications.show({
    title,
    message,
    color: kind === 'error' ? 'red' : 'green',
    autoClose: READING_MS,
    role: kind === 'error' ? 'alert' : 'status',
    withBorder: true,
  });
}
