import { Title } from '@mantine/core';

export default function SupportPage() {
  return <Title order={1}>Supporto 24/7</Title>;
}
