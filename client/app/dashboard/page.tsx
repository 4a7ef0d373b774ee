import { Title } from '@mantine/core';

export default function DashboardPage() {
  return <Title order={1}>Home</Title>;
}
