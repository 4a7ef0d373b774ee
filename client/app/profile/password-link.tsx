import { Button, Group, Text } from '@mantine/core';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/ui/toast.ts';
import { ERRORS } from '#contract/errors.ts';
import { useRequestPasswordLink } from './api.ts';

/** Sends the link that whoever entered with a code chooses a password by. */
export function SendPasswordLink() {
  const { email } = useMe();
  const { mutate, isPending, isSuccess } = useRequestPasswordLink();
  const send = () =>
    mutate(email, {
      onSuccess: () => toast({ title: 'Email inviata', message: `Controlla la posta di ${email}.` }),
      onError: (error) => toast({ title: error.message, kind: 'error' }),
    });
  return (
    <Button onClick={send} loading={isPending}>
      {isSuccess ? 'Invia di nuovo' : 'Invia il collegamento'}
    </Button>
  );
}

/** What stands where the password would be asked for, for an account that has none. */
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
