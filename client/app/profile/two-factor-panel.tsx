import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconDownload, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import { isRefused } from '#client/lib/failures.ts';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { saveFile } from '#client/lib/save-file.ts';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import footer from '#client/ui/dialog-footer.module.css';
import { useFocusOnStep } from '#client/ui/focus-on-step.ts';
import { FormButtons } from '#client/ui/form-buttons.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { TextInput } from '#client/ui/inputs.tsx';
import { type LeaveWarning, useLeaveWarning } from '#client/ui/leave-warning.ts';
import { Panel } from '#client/ui/panel.tsx';
import { confirmationSchema, type Enrolment } from '#contract/two-factor.ts';
import { provider } from '#provider';
import { useConfirmTwoFactor, useDisableTwoFactor, useEnrol, useRenewRecoveryCodes } from './api.ts';
import styles from './page.module.css';
import { BothFactorsStep, PasswordStep } from './password-step.tsx';

const UNSEEN_AGAIN: LeaveWarning = {
  title: 'Hai conservato i codici?',
  words: 'Non li mostreremo più: senza, se perdi il telefono non puoi entrare.',
  leave: 'Chiudi comunque',
};

type Step = 'enable' | 'disable' | 'codes' | null;

/** The second factor: an authenticator app, and recovery codes in case it is lost. */
export function TwoFactorPanel() {
  const { twoFactorEnabled } = useMe();
  const [dialog, setDialog] = useKeptState<Step>('two-factor', null);
  // What a restored dialog asks for may have been done before the session was lost, without an answer.
  const [outdated, setOutdated] = useState(dialog !== null && (dialog === 'enable') === twoFactorEnabled);
  if (outdated) {
    setOutdated(false);
    setDialog(null);
  }
  const close = () => setDialog(null);
  return (
    <Panel
      title="Verifica in due passaggi"
      aside={
        twoFactorEnabled ? (
          <Badge tone="green" icon={IconShieldCheck}>
            Attiva
          </Badge>
        ) : (
          <Badge tone="gray" icon={IconShieldOff}>
            Non attiva
          </Badge>
        )
      }
    >
      <Stack>
        <Text>
          {twoFactorEnabled
            ? 'Per accedere, oltre alla password serve il codice dell’app di autenticazione sul tuo telefono.'
            : 'Con un’app di autenticazione sul telefono, chi scopre la tua password non riesce comunque a entrare.'}
        </Text>
        <Group gap="sm">
          {twoFactorEnabled ? (
            <>
              <Button variant="default" onClick={() => setDialog('codes')}>
                Nuovi codici di recupero
              </Button>
              <Button variant="outline" color="red" onClick={() => setDialog('disable')}>
                Disattiva
              </Button>
            </>
          ) : (
            <Button variant="default" onClick={() => setDialog('enable')}>
              Attiva la verifica
            </Button>
          )}
        </Group>
      </Stack>
      <FormDialog
        opened={dialog === 'enable'}
        onClose={close}
        title="Attiva la verifica in due passaggi"
        size="lg"
      >
        <EnableSteps onClose={close} />
      </FormDialog>
      <FormDialog opened={dialog === 'disable'} onClose={close} title="Disattiva la verifica in due passaggi">
        <DisableStep onClose={close} />
      </FormDialog>
      <FormDialog opened={dialog === 'codes'} onClose={close} title="Nuovi codici di recupero" size="lg">
        <RenewSteps onClose={close} />
      </FormDialog>
    </Panel>
  );
}

function EnableSteps({ onClose }: { onClose: () => void }) {
  const enrol = useEnrol();
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [confirmed, setConfirmed] = useState(false);
  /** Whether a confirmation was sent whose response was lost. */
  const [unheard, setUnheard] = useState(false);
  const { twoFactorEnabled } = useMe();
  if (enrolment && (confirmed || (unheard && twoFactorEnabled))) {
    return <RecoveryCodes codes={enrolment.recoveryCodes} onClose={onClose} />;
  }
  if (enrolment)
    return (
      <AppSetup
        enrolment={enrolment}
        onDone={() => setConfirmed(true)}
        onUnheard={() => setUnheard(true)}
        onCancel={onClose}
      />
    );
  return (
    <PasswordStep
      label="Continua"
      onConfirm={async (password) => setEnrolment(await enrol.mutateAsync(password))}
      onCancel={onClose}
    >
      <Text>Ti serve un’app di autenticazione sul telefono: una qualsiasi che legga codici QR.</Text>
    </PasswordStep>
  );
}

function AppSetup({
  enrolment,
  onDone,
  onUnheard,
  onCancel,
}: {
  enrolment: Enrolment;
  onDone: () => void;
  onUnheard: () => void;
  onCancel: () => void;
}) {
  const { mutateAsync } = useConfirmTwoFactor();
  const start = useFocusOnStep<HTMLParagraphElement>();
  const form = useForm({
    initialValues: { code: '' },
    validate: schemaResolver(confirmationSchema, { sync: true }),
  });
  return (
    <AppForm
      form={form}
      label="Configura l’app"
      onSubmit={async ({ code }) => {
        try {
          await mutateAsync(code.replace(/\s/g, ''));
        } catch (error) {
          if (!isRefused(error)) onUnheard();
          throw error;
        }
        toast({ title: 'Verifica in due passaggi attivata' });
        onDone();
      }}
    >
      <Stack>
        <div className={styles.setup}>
          <img
            className={styles.qr}
            src={`data:image/svg+xml;utf8,${encodeURIComponent(enrolment.qrCode)}`}
            alt="Codice QR da inquadrare con l’app di autenticazione"
          />
          <Stack gap="sm">
            <Text ref={start} tabIndex={-1}>
              Inquadra il codice con l’app. Sei già sul telefono?{' '}
              <Anchor href={enrolment.uri}>Apri l’app</Anchor>.
            </Text>
            <Stack gap="xs" align="flex-start">
              <Text className={styles.soft}>Oppure scrivi questa chiave:</Text>
              {/* Displayed in groups of four, but copied as one word. */}
              <Text className={styles.secret}>
                {enrolment.secret.match(/.{1,4}/g)?.map((part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same four letters may come twice
                  <span key={index}>{part}</span>
                ))}
              </Text>
              <CopyButton text={enrolment.secret} copied="Chiave copiata" otherwise="Trascrivi la chiave.">
                Copia la chiave
              </CopyButton>
            </Stack>
            <TextInput
              label="Codice di 6 cifre"
              description="Quello che l’app mostra adesso."
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={12}
              {...form.getInputProps('code')}
            />
          </Stack>
        </div>
        <FormButtons busy={form.submitting} label="Attiva" onCancel={onCancel} />
      </Stack>
    </AppForm>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  useLeaveWarning(UNSEEN_AGAIN);
  const { email } = useMe();
  const start = useFocusOnStep<HTMLDivElement>();
  const save = () =>
    saveFile(
      new Blob([`Codici di recupero di ${provider.name} per ${email}\n\n${codes.join('\n')}\n`], {
        type: 'text/plain',
      }),
      'codici-di-recupero.txt',
    );
  return (
    <Stack>
      <Alert ref={start} tabIndex={-1} color="orange" title="Conserva questi codici">
        Se perdi il telefono, ognuno ti fa entrare una volta sola. Non li mostreremo più.
      </Alert>
      <ul className={styles.codes} aria-label="Codici di recupero">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end" className={footer.buttons}>
        <CopyButton text={codes.join('\n')} copied="Codici copiati" otherwise="Trascrivi i codici.">
          Copia
        </CopyButton>
        <Button variant="default" onClick={save} leftSection={<IconDownload size={18} aria-hidden="true" />}>
          Scarica
        </Button>
        <Button onClick={onClose}>Li ho conservati</Button>
      </Group>
    </Stack>
  );
}

function DisableStep({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useDisableTwoFactor();
  return (
    <BothFactorsStep
      label="Disattiva"
      destructive
      onCancel={onClose}
      onConfirm={async (proof) => {
        await mutateAsync(proof);
        toast({ title: 'Verifica in due passaggi disattivata' });
        onClose();
      }}
    >
      <Text>Per accedere basterà di nuovo la sola password.</Text>
    </BothFactorsStep>
  );
}

function RenewSteps({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <BothFactorsStep
      label="Crea i codici"
      onCancel={onClose}
      onConfirm={async (proof) => setCodes((await mutateAsync(proof)).recoveryCodes)}
    >
      <Text>I codici di prima non varranno più.</Text>
    </BothFactorsStep>
  );
}
