import { Button, Group, Text } from '@mantine/core';
import { useOnce } from '#client/lib/once.ts';
import { useMe } from '#client/lib/session.ts';
import { toast, toastFailure } from '#client/lib/toast.ts';
import { ERRORS } from '#contract/errors.ts';
import { useRequestPasswordLink } from './api.ts';

/** Sends the mail with which an account that logs in with codes chooses a password. */
export function SendPasswordLink() {
  const { email } = useMe();
  const { mutateAsync, isPending, isSuccess } = useRequestPasswordLink();
  const once = useOnce();
  const send = () =>
    once(() =>
      mutateAsync(email).then(
        () => toast({ title: 'Email inviata', message: `Controlla la posta di ${email}.` }),
        toastFailure,
      ),
    );
  return (
    <Button onClick={send} loading={isPending}>
      {isSuccess ? 'Invia di nuovo' : 'Invia il collegamento'}
    </Button>
  );
}

/** Replaces the password prompt for an account without one. */
export function PasswordMissing({ onCancel }: { onCancel: () => void }) {
  return (
    <>
      <Text data-autofocus tabIndex={-1}>
        {ERRORS.password_missing.message} Ti mandiamo un collegamento per sceglierla; poi accedi di nuovo e
        torna qui.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onCancel}>
          Annulla
        </Button>
        <SendPasswordLink />
      </Group>
    </>
  );
}
