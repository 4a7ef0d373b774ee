import { Badge } from '@mantine/core';

/** Marks a record of the sample data: read-only, shown until the account has a record of its own. */
export function SampleBadge() {
  return (
    <Badge color="gray" variant="outline">
      Esempio
    </Badge>
  );
}
