import { Title } from '@mantine/core';

export default function RequirementsPage() {
  return <Title order={1}>Requirements</Title>;
}
