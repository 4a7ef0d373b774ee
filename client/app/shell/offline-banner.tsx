import { useNetwork } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { formatDateTime } from '#contract/dates.ts';
import { provider } from '#provider';
import { useShownAsOf } from './offline.ts';
import styles from './offline-banner.module.css';

/**
 * Says that the device is off line, or that the server cannot be reached, how old at least is what it shows, and what still works.
 * The live region is there before it has something to say.
 */
export function OfflineBanner() {
  const { online } = useNetwork();
  const shownAsOf = useShownAsOf();
  const until = shownAsOf === null ? '' : `, fino al ${formatDateTime(new Date(shownAsOf))}`;
  return (
    <div role="status">
      {(!online || shownAsOf !== null) && (
        <p className={styles.banner}>
          <IconCloudOff size={20} stroke={1.75} aria-hidden="true" />
          {online ? `${provider.name} non risponde` : 'Sei offline'}: vedi gli ultimi dati caricati
          {until}. Le modifiche si possono salvare quando torna la connessione.
        </p>
      )}
    </div>
  );
}
