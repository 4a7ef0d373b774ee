import { Title } from '@mantine/core';

export default function AdminInvoicesPage() {
  return <Title order={1}>Gestione Fatture Admin</Title>;
}
