import { Button, Group, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { useLeave } from '#client/lib/leaving.ts';
import { useOnce } from '#client/lib/once.ts';
import { saveLink } from '#client/lib/save-file.ts';
import { useMe } from '#client/lib/session.ts';
import { toastFailure } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { useFocusOnStep } from '#client/ui/focus-on-step.ts';
import { Panel } from '#client/ui/panel.tsx';
import { PROFILE_TEXTS } from '#contract/profile.ts';
import { ownershipCodeSchema } from '#contract/two-factor.ts';
import { useDataAvailability, useDeleteAccount, useReauthenticate } from './api.ts';
import styles from './page.module.css';
import { CodeField, PasswordStep } from './password-step.tsx';

/** The person's rights over their data: download and deletion. */
export function DataPanel() {
  const [deleting, setDeleting] = useKeptState('deletion', false);
  const remove = useDeleteAccount();
  const availability = useDataAvailability();
  const once = useOnce();
  function close() {
    // Must stay open: otherwise the user would be signed out by surprise, or not see a failure.
    if (remove.isPending) return;
    setDeleting(false);
    remove.reset();
  }
  return (
    <Panel title="I tuoi dati personali">
      <Stack>
        <Text>
          Puoi scaricare una copia di tutto quello che conserviamo (un archivio ZIP con i dati e i PDF delle
          fatture) o eliminare l’account.
        </Text>
        <Group gap="sm">
          <Button
            variant="default"
            loading={availability.isPending}
            // Asks first, because a refused download link shows no error. The archive itself, which may be large, is
            // downloaded by the browser.
            onClick={() =>
              once(() => availability.mutateAsync().then(() => saveLink('/api/me/data'), toastFailure))
            }
            leftSection={<IconDownload size={18} aria-hidden="true" />}
          >
            Scarica i miei dati
          </Button>
          <Button
            variant="outline"
            color="red"
            onClick={() => setDeleting(true)}
            leftSection={<IconTrash size={18} aria-hidden="true" />}
          >
            Elimina account
          </Button>
        </Group>
      </Stack>
      <Dialog opened={deleting} onClose={close} title="Elimina account">
        <DeleteSteps remove={remove} onClose={close} />
      </Dialog>
    </Panel>
  );
}

function Announcement({ email }: { email: string }) {
  const start = useFocusOnStep<HTMLParagraphElement>();
  return (
    <Text ref={start} tabIndex={-1}>
      Stai per eliminare l’account <strong>{email}</strong>. Non si può annullare.
    </Text>
  );
}

/**
 * First the password, so that a wrong one is reported before anything else; then the consequences, once, with the code of
 * the second factor, which would expire while they are read.
 */
function DeleteSteps({
  remove,
  onClose,
}: {
  remove: ReturnType<typeof useDeleteAccount>;
  onClose: () => void;
}) {
  const check = useReauthenticate();
  const [password, setPassword] = useState<string | null>(null);

  if (password === null) {
    return (
      <PasswordStep
        label="Continua"
        onCancel={onClose}
        onConfirm={async (typed) => {
          await check.mutateAsync(typed);
          setPassword(typed);
        }}
      >
        <Text>Prima di continuare, confermaci che sei tu.</Text>
      </PasswordStep>
    );
  }
  return <DeleteStep password={password} remove={remove} onClose={onClose} />;
}

function DeleteStep({
  password,
  remove,
  onClose,
}: {
  password: string;
  remove: ReturnType<typeof useDeleteAccount>;
  onClose: () => void;
}) {
  const me = useMe();
  const leave = useLeave();
  const consequences = useId();
  const form = useForm({
    initialValues: { code: '' },
    validate: me.twoFactorEnabled ? schemaResolver(ownershipCodeSchema, { sync: true }) : undefined,
  });
  const proof = (code: string) => ({ password, ...(me.twoFactorEnabled && { code }) });
  return (
    <AppForm
      form={form}
      onSubmit={({ code }) => leave(() => remove.mutateAsync(proof(code)), PROFILE_TEXTS.deleted)}
      label="Elimina account"
    >
      <Stack>
        <Stack id={consequences}>
          <Announcement email={me.email} />
          <Text>
            Cancelliamo profilo, richieste, messaggi e progetti senza fatture, e rendiamo anonimi i
            dipendenti. Le fatture restano, perché la legge ci obbliga a conservarle.
          </Text>
        </Stack>
        {me.twoFactorEnabled && <CodeField {...form.getInputProps('code')} />}
        <Group justify="flex-end" className={styles.decision}>
          <Button variant="default" onClick={onClose} disabled={remove.isPending}>
            Annulla
          </Button>
          {/* Some screen readers miss a focus that moves while the focused field is removed. */}
          <Button type="submit" color="red" loading={remove.isPending} aria-describedby={consequences}>
            Elimina definitivamente
          </Button>
        </Group>
      </Stack>
    </AppForm>
  );
}
