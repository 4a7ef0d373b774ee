import { Avatar, Button } from '@mantine/core';
import { IconMail, IconMailCheck } from '@tabler/icons-react';
import { useOnce } from '#client/lib/once.ts';
import { useMe } from '#client/lib/session.ts';
import { toast, toastFailure } from '#client/lib/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatDateTime } from '#contract/dates.ts';
import { initials } from '#contract/employees.ts';
import { ROLE_LABELS } from '#contract/users.ts';
import { useSendVerification } from './api.ts';
import styles from './page.module.css';

/**
 * The account (spec §2): picture or initials, role, creation date, last login, and whether the address is confirmed.
 */
export function AccountCard() {
  const me = useMe();
  const { mutateAsync, isPending, isSuccess } = useSendVerification();
  const once = useOnce();
  const send = () =>
    once(() =>
      mutateAsync().then(
        () => toast({ title: 'Email inviata', message: `Controlla la posta di ${me.email}.` }),
        toastFailure,
      ),
    );
  return (
    <section className={styles.account} aria-label="Account">
      <div className={styles.identity}>
        <Avatar src={me.profilePicture} alt="" size={72} color="petrol" aria-hidden="true">
          {initials(me.fullName)}
        </Avatar>
        <div className={styles.identityWords}>
          <p className={styles.name}>{me.fullName}</p>
          <Badge tone={me.role === 'admin' ? 'blue' : 'gray'}>{ROLE_LABELS[me.role]}</Badge>
        </div>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Username</dt>
          <dd>{me.username}</dd>
        </div>
        <div>
          <dt>Data di registrazione</dt>
          <dd className="tabular">{formatDateTime(me.createdAt)}</dd>
        </div>
        <div>
          <dt>Ultimo accesso</dt>
          <dd className="tabular">{me.lastLogin ? formatDateTime(me.lastLogin) : '—'}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>
            {me.emailVerified ? (
              <Badge tone="green" icon={IconMailCheck}>
                Confermata
              </Badge>
            ) : (
              <Badge tone="orange" icon={IconMail}>
                Da confermare
              </Badge>
            )}
          </dd>
        </div>
      </dl>
      {!me.emailVerified && (
        <Button variant="default" onClick={send} loading={isPending}>
          {isSuccess ? 'Invia di nuovo' : 'Invia l’email di conferma'}
        </Button>
      )}
    </section>
  );
}
