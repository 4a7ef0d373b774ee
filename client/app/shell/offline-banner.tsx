import { useNetwork } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import styles from './offline-banner.module.css';

/** Says that the device is offline, and what still works. The live region is there before it has something to say. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <p className={styles.banner}>
          <IconCloudOff size={20} stroke={1.75} aria-hidden="true" />
          Sei offline: vedi gli ultimi dati caricati. Le modifiche si possono salvare quando torna la
          connessione.
        </p>
      )}
    </div>
  );
}
