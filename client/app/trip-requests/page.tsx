import { Title } from '@mantine/core';

export default function TripRequestPage() {
  return <Title order={1}>Nuova Trasferta</Title>;
}
