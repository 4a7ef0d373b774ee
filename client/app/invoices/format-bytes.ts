import { lazily } from '#contract/lazily.ts';

const number = lazily(() => new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 }));

/** '340 KB', '2,4 MB': in units of 1024, as file managers show them. */
export function formatBytes(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? `${number().format(Math.max(1, Math.round(kilobytes)))} KB`
    : `${number().format(kilobytes / 1024)} MB`;
}
