import { Badge } from './badge.tsx';

/** Marks a sample record: read-only, shown until the account has a record of its own. */
export function SampleBadge() {
  return (
    <Badge tone="gray" outlined>
      Esempio
    </Badge>
  );
}
