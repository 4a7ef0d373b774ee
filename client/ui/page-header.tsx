import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { provider } from '#provider';
import styles from './page-header.module.css';

/**
 * The head of every page of the application: its only h1, a description, its main actions, and the title of the
 * document. `badge` is shown beside the title, whose language is the page's unless `titleLang` names another.
 */
export function PageHeader({
  title,
  titleLang,
  intro,
  badge,
  actions,
}: {
  title: string;
  titleLang?: string;
  intro?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className={styles.header}>
      <title>{`${title} · ${provider.name}`}</title>
      <div className={styles.words}>
        <Group gap="sm" align="center">
          {/* The shell moves the focus here after a change of page. */}
          <Title order={1} tabIndex={-1} className={styles.title} lang={titleLang} data-page-title>
            {title}
          </Title>
          {badge}
        </Group>
        {intro && (
          <Text component="div" c="dimmed" className={styles.intro}>
            {intro}
          </Text>
        )}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

/** Links to pages beside this one, as the `actions` of a `PageHeader`. */
export function PageLinks({ children }: { children: ReactNode }) {
  return <div className={styles.links}>{children}</div>;
}
