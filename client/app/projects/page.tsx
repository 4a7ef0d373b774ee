import { Title } from '@mantine/core';

export default function ProjectsPage() {
  return <Title order={1}>Progetti e Team</Title>;
}
