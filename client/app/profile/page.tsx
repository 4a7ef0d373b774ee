import { PageHeader } from '#client/ui/page-header.tsx';
import { AccountCard } from './account-card.tsx';
import { DataPanel } from './data-panel.tsx';
import styles from './page.module.css';
import { PasswordPanel } from './password-panel.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TwoFactorPanel } from './two-factor-panel.tsx';

/** The own profile (spec §2), with account protection and personal data rights. */
export default function ProfilePage() {
  return (
    <>
      <PageHeader
        title="Il tuo profilo"
        intro="I tuoi dati, come entri e i dispositivi su cui sei collegato."
      />
      <div className={styles.columns}>
        <AccountCard />
        <div className={styles.panels}>
          <ProfileForm />
          <PasswordPanel />
          <TwoFactorPanel />
          <SessionsPanel />
          <DataPanel />
        </div>
      </div>
    </>
  );
}
