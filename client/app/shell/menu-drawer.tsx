import { Drawer, VisuallyHidden } from '@mantine/core';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import { useCover } from '#client/ui/cover.ts';
import type { Me } from '#contract/accounts.ts';
import styles from './frame.module.css';
import { Sidebar } from './sidebar.tsx';

/** The side menu of a phone (spec §2, Shell). Loaded after the page: wide screens never need it. */
export default function MenuDrawer({
  me,
  opened,
  onClose,
}: {
  me: Me;
  opened: boolean;
  onClose: () => void;
}) {
  // The press that opens or closes it is answered before it is rendered.
  const shown = useAfterPaint(opened, false);
  useCover(shown);
  return (
    <Drawer
      opened={shown}
      onClose={onClose}
      // Rendered beforehand, at leisure.
      keepMounted
      size="18rem"
      title={<VisuallyHidden>Menu</VisuallyHidden>}
      // Inline, as is what the theme says of every sheet.
      styles={{ content: { backgroundColor: 'var(--surface-sand)' } }}
      classNames={{ body: styles.drawerBody, header: styles.drawerHeader, content: styles.drawer }}
    >
      <Sidebar me={me} onNavigate={onClose} />
    </Drawer>
  );
}
