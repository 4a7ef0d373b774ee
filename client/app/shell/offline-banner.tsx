import { useNetwork } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { formatDateTime, withArticle } from '#contract/dates.ts';
import { provider } from '#provider';
import { useShownAsOf } from './offline.ts';
import styles from './offline-banner.module.css';

/**
 * Says that the device is offline or the server unreachable, how old the shown data is at most, and what still works.
 * It stands below the page, at the foot of the window while that is further down, so that it moves nothing when it comes and
 * goes. The live region exists before it has content, so that screen readers announce it.
 */
export function OfflineBanner() {
  const { online } = useNetwork();
  const shownAsOf = useShownAsOf();
  const until = shownAsOf === null ? '' : `, fino ${withArticle('al', formatDateTime(new Date(shownAsOf)))}`;
  return (
    <div role="status" className={styles.foot}>
      {(!online || shownAsOf !== null) && (
        <p className={styles.banner}>
          <IconCloudOff size={20} stroke={1.75} aria-hidden="true" />
          <span>
            {online ? `${provider.name} non risponde` : 'Sei offline'}: vedi gli ultimi dati caricati
            {until}.<span className={styles.further}> Potrai salvare quando torna la connessione.</span>
          </span>
        </p>
      )}
    </div>
  );
}
