import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import {
  IconBrandWhatsapp,
  IconCircleCheck,
  IconExternalLink,
  IconMail,
  IconPhone,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useDraft } from '#client/lib/drafts.ts';
import { useMe } from '#client/lib/session.ts';
import { toast, toastFailure } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { breakable } from '#client/ui/breakable.tsx';
import { Textarea } from '#client/ui/inputs.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Section } from '#client/ui/section.tsx';
import { spokenPhone } from '#contract/phones.ts';
import { REPLY_WITHIN_HOURS, SUPPORT_LIMITS, supportRequestSchema } from '#contract/support-requests.ts';
import { provider } from '#provider';
import { useCameFrom } from '../shell/came-from.ts';
import { pageAt } from '../shell/pages-of.ts';
import { useIsWritingToSupport, useWriteToSupport } from './api.ts';
import { whatsappLink } from './links.ts';
import styles from './page.module.css';

const { phone, whatsapp, email } = provider.support;

const CHANNELS = [
  {
    href: `tel:${phone}`,
    icon: IconPhone,
    title: 'Telefono',
    contact: spokenPhone(phone),
    promise: 'Rispondiamo 24\u00a0ore su\u00a024, 7\u00a0giorni\u00a0su\u00a07.',
  },
  {
    href: whatsappLink(whatsapp),
    icon: IconBrandWhatsapp,
    title: 'WhatsApp',
    contact: spokenPhone(whatsapp),
    promise: 'Scrivici a qualsiasi ora, anche dal cantiere.',
  },
  {
    href: `mailto:${email}`,
    icon: IconMail,
    title: 'Email',
    contact: email,
    promise: `Ti rispondiamo entro ${REPLY_WITHIN_HOURS}\u00a0ore lavorative.`,
  },
] as const;

const SENT = 'Messaggio Inviato';

/**
 * The path of the page the user came from, as reported to support; null when they came from elsewhere. Kept in the history
 * entry, because nothing else knows it after a reload.
 */
function useOrigin(): string | null {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const before = useCameFrom();
  const kept: unknown = state?.cameFrom;
  useEffect(() => {
    if (before === null || before === kept) return;
    void navigate(
      { pathname, search },
      { replace: true, preventScrollReset: true, state: { ...state, cameFrom: before } },
    );
  }, [before, kept, navigate, pathname, search, state]);
  return supportRequestSchema.shape.pagina.catch(null).parse(before ?? kept);
}

function WriteForm() {
  const { permissions } = useMe();
  const cameFrom = useOrigin();
  const draft = useDraft<{ messaggio: string; pagina: string | null }>('support', {
    messaggio: '',
    pagina: null,
  });
  const { mutateAsync } = useWriteToSupport(draft.discard);
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  /** A new object per message, so that each confirmation gets the focus. */
  const [answer, setAnswer] = useState<{ reference: string } | null>(null);
  const confirmation = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer) confirmation.current?.focus();
  }, [answer]);
  const form = useForm({
    initialValues: { ...draft.values, pagina: cameFrom ?? draft.values.pagina },
    onValuesChange: draft.keep,
    validate: schemaResolver(supportRequestSchema, { sync: true }),
  });

  async function send(values: typeof form.values) {
    // It would seem to be about this message if that failed.
    setAnswer(null);
    try {
      const { reference } = await mutateAsync(values);
      if (left.current)
        return toast({ title: SENT, message: `Il numero della tua richiesta è ${reference}.` });
      setAnswer({ reference });
    } catch (error) {
      if (left.current && error instanceof Error) toastFailure(error);
      throw error;
    }
    form.setValues({ messaggio: '' });
    form.resetDirty();
    // Emptying the field stored it again.
    draft.discard();
  }

  const { pagina } = form.values;
  const page = pagina ? pageAt(permissions, pagina) : undefined;
  return (
    <AppForm form={form} onSubmit={send} label="Scrivi al supporto" kept={draft.isSafe}>
      {/* Announced when it gets the focus; outside the stack, which would reserve space for it while empty. */}
      {answer && (
        <Alert
          ref={confirmation}
          tabIndex={-1}
          color="green"
          icon={<IconCircleCheck aria-hidden="true" />}
          title={SENT}
          mb="md"
        >
          Il numero della tua richiesta è <strong className={styles.reference}>{answer.reference}</strong>. Ti
          rispondiamo entro {REPLY_WITHIN_HOURS}
          {'\u00a0'}ore lavorative.
        </Alert>
      )}
      <Stack>
        <Textarea
          label="Come possiamo aiutarti?"
          description={
            pagina ? (
              <>
                Diciamo al supporto che scrivi dalla pagina «
                <span lang={page?.lang}>{page?.label ?? pagina}</span>».
              </>
            ) : (
              'Indica il progetto, la fattura o la persona di cui parli: facciamo prima.'
            )
          }
          required
          autosize
          minRows={5}
          maxRows={14}
          maxLength={SUPPORT_LIMITS.messaggio}
          // The form is emptied after submission, which would also discard text added meanwhile.
          readOnly={form.submitting}
          {...form.getInputProps('messaggio')}
        />
        <div>
          <Button type="submit" loading={form.submitting}>
            Invia al supporto
          </Button>
        </div>
      </Stack>
    </AppForm>
  );
}

/**
 * The form, unless a message is being sent from this page as it was before the user left it: the restored text would look
 * unsent.
 */
function Writing() {
  const sending = useIsWritingToSupport();
  const [waits, setWaits] = useState(sending);
  if (waits && !sending) setWaits(false);
  if (!waits) return <WriteForm />;
  return (
    <Group gap="xs" role="status">
      <Loader size={16} aria-hidden="true" />
      <Text>Stiamo inviando il tuo messaggio…</Text>
    </Group>
  );
}

/** Says of a link that it opens another tab, so that nobody looks for the way back in vain. */
function OtherTab() {
  return (
    <>
      {' '}
      <IconExternalLink className={styles.otherTab} size={16} stroke={1.75} aria-hidden="true" />
      <span className="visually-hidden">, si apre in un’altra scheda</span>
    </>
  );
}

/** Support (spec §2): phone and WhatsApp around the clock, e-mail, and a form that returns a number to quote. */
export default function SupportPage() {
  return (
    <>
      <PageHeader
        title="Supporto 24/7"
        intro="Una persona che conosce le tue trasferte, a qualsiasi ora. Per un’urgenza in viaggio, chiama."
      />
      <ul className={styles.channels}>
        {CHANNELS.map(({ href, icon: IconOf, title, contact, promise }) => {
          const isElsewhere = href.startsWith('https:');
          return (
            <li key={title}>
              <a
                href={href}
                className={styles.channel}
                {...(isElsewhere && { target: '_blank', rel: 'noreferrer' })}
              >
                <IconOf size={28} stroke={1.75} aria-hidden="true" />
                <span className={styles.words}>
                  <span className={styles.title}>
                    {title}
                    {isElsewhere && <OtherTab />}
                  </span>
                  <span className={styles.contact}>{breakable(contact)}</span>
                  <span className={styles.promise}>{promise}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      <div className={styles.form}>
        <Section title="Scrivici da qui">
          <Writing />
        </Section>
      </div>
    </>
  );
}
