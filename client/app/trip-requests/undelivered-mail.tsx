import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '#client/lib/api.ts';
import { isRefused } from '#client/lib/failures.ts';
import { rowsOf } from '#client/lib/list-pages.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { useOnce } from '#client/lib/once.ts';
import { readAgain, refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { toast, toastFailure } from '#client/lib/toast.ts';
import { counted, DOT } from '#client/lib/words.ts';
import { intoView } from '#client/ui/into-view.ts';
import { LoadMore } from '#client/ui/load-more.tsx';
import { focusTitleAbove, pageTitle } from '#client/ui/opener.ts';
import { formatDateTime, withArticle } from '#contract/dates.ts';
import type { UndeliveredMail as Mail } from '#contract/mail-messages.ts';
import styles from './undelivered-mail.module.css';

/** How often the state of mail that was sent again here is checked; it mostly leaves within seconds. */
const LOOK_AGAIN_MS = 5_000;

/** For how long it is checked. Mail that fails again is retried for days, at increasing intervals. */
const LOOK_AFTER_MS = 60_000;

/** The messages that have not reached their recipients, in pages. */
export const undeliveredMailQuery = {
  ...listQuery(['mail-messages'], (cursor) =>
    answer(api.admin['mail-messages'].$get({ query: paramsOf({ cursor }) })),
  ),
  staleTime: 0,
};

function Failure({ reason, details }: NonNullable<Mail['failure']>) {
  return (
    <div className={styles.failure}>
      <p>{reason}.</p>
      {details && (
        <details>
          <summary>Dettagli tecnici</summary>
          <p lang="en">{details}</p>
        </details>
      )}
    </div>
  );
}

/** The button of the message after that of `pressed`, or of the one before it; none that is busy and about to go. */
function nextOf(pressed: HTMLButtonElement): HTMLButtonElement | null {
  const free =
    pressed.closest('ul')?.querySelectorAll<HTMLButtonElement>('[data-resend]:not([aria-busy])') ?? [];
  const others = [...free].filter((button) => button !== pressed);
  const isAfter = (button: Node) =>
    (pressed.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return others.find(isAfter) ?? others.at(-1) ?? null;
}

function Message({ mail, onResent }: { mail: Mail; onResent: () => void }) {
  const client = useQueryClient();
  const once = useOnce();
  const button = useRef<HTMLButtonElement>(null);
  /** For when the pressed button disappears. A focus that has moved on stays, maybe on another page. */
  const moveOn = () => {
    const pressed = button.current;
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== pressed) return;
    const next = pressed && nextOf(pressed);
    (next ?? pageTitle())?.focus({ preventScroll: true });
    // Whole, so that it can be read which one would be sent.
    intoView(next?.closest('li') ?? null);
  };
  const resend = useMutation({
    mutationFn: () =>
      answer(api.admin['mail-messages'][':id'].resend.$post({ param: { id: String(mail.id) } })),
    onSuccess: () => {
      onResent();
      toast({ title: 'Email rimessa in coda', message: 'Partirà tra pochi secondi.' });
      moveOn();
    },
    onError: (error) => {
      toastFailure(error);
      // Somebody else has sent it again: the list is about to say so.
      if (isRefused(error)) moveOn();
    },
    onSettled: refetchAfterWrite(() => readAgain(client, undeliveredMailQuery.queryKey)),
  });
  const givenUp = mail.state === 'failed';
  return (
    <li className={styles.message} data-entry>
      <Stack gap={6} className={styles.words}>
        <Text fw={600} className={styles.subject} data-name>
          {mail.subject}
        </Text>
        <Text size="sm">A {mail.recipients.join(', ')}</Text>
        <Text size="sm" c="dimmed">
          Scritta {withArticle('il', formatDateTime(mail.createdAt))}
          {DOT}
          {counted(mail.attempts, 'tentativo', 'tentativi')}
          {!givenUp && `${DOT}nuovo tentativo in arrivo`}
        </Text>
        {mail.failure && <Failure {...mail.failure} />}
      </Stack>
      {givenUp && (
        <Button
          ref={button}
          data-resend
          variant="default"
          loading={resend.isPending}
          onClick={() => once(() => resend.mutateAsync())}
          aria-label={`Invia di nuovo: ${mail.subject}`}
        >
          Invia di nuovo
        </Button>
      )}
    </li>
  );
}

/** Mail that has not reached its recipients, for the administrator to send again; nothing if there is none. */
export function UndeliveredMail() {
  /** Id → the time until which it is checked. */
  const resent = useRef(new Map<number, number>());
  const isLookedAfter = ({ id, state }: Mail) =>
    state === 'queued' && Date.now() < (resent.current.get(id) ?? 0);
  const query = useInfiniteQuery({
    ...undeliveredMailQuery,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isLookedAfter)) && LOOK_AGAIN_MS,
  });
  const total = query.data?.pages[0]?.total ?? 0;
  const mails = rowsOf(query.data?.pages ?? []);
  // While the account is being left, reads are aborted.
  if (query.error && query.error.name !== 'AbortError' && !query.data) {
    return (
      <Alert color="red" mb="lg" role="alert">
        <Group justify="space-between" gap="sm">
          <span>Non sappiamo se ci sono email non consegnate: {query.error.message}</span>
          <Button
            variant="default"
            size="compact-md"
            onClick={({ currentTarget }) => {
              focusTitleAbove(currentTarget);
              query.refetch();
            }}
          >
            Riprova
          </Button>
        </Group>
      </Alert>
    );
  }
  if (total === 0) return null;
  return (
    <Alert
      color="orange"
      mb="lg"
      classNames={{ message: styles.messages }}
      icon={<IconMailExclamation size={22} stroke={1.75} aria-hidden="true" />}
      title={counted(total, 'email non consegnata', 'email non consegnate')}
    >
      <ul className={styles.list}>
        {mails.map((mail) => (
          <Message
            key={mail.id}
            mail={mail}
            onResent={() => resent.current.set(mail.id, Date.now() + LOOK_AFTER_MS)}
          />
        ))}
      </ul>
      {query.hasNextPage && <LoadMore feminine shown={mails.length} total={total} pages={query} />}
    </Alert>
  );
}
