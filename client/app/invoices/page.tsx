import { Title } from '@mantine/core';

export default function InvoicesPage() {
  return <Title order={1}>Pagamenti e Fatture</Title>;
}
