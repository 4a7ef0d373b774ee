import { Drawer, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import { useCover } from '#client/ui/cover.ts';
import { useDescription } from '#client/ui/description.tsx';
import { useFocusBack } from '#client/ui/opener.ts';
import { ClosedByBack } from '#client/ui/way-back.tsx';
import type { Me } from '#contract/accounts.ts';
import styles from './frame.module.css';
import { Sidebar } from './sidebar.tsx';

type SheetProps = { me: Me; opened: boolean; onClose: () => void };

const Sheet = memo(function Sheet({ me, opened, onClose }: SheetProps) {
  useCover(opened);
  useFocusBack(opened);
  const { id, attributes, description } = useDescription();
  return (
    <Drawer
      id={id}
      attributes={attributes}
      opened={opened}
      onClose={onClose}
      // Rendered in advance, while idle.
      keepMounted
      size="18rem"
      title={<VisuallyHidden>Menu</VisuallyHidden>}
      // Inline, like the theme's styles for all sheets.
      styles={{ content: { backgroundColor: 'var(--surface-sand)' } }}
      classNames={{ body: styles.drawerBody, header: styles.drawerHeader, content: styles.drawer }}
    >
      {description}
      <Sidebar me={me} onNavigate={onClose} />
    </Drawer>
  );
});

/** The side menu of a phone (spec §2, Shell). Loaded after the page, because wide screens never need it. */
export default function MenuDrawer({ opened, ...sheet }: SheetProps) {
  // Opening and closing are deferred, so that the press is shown first.
  const shown = useAfterPaint(opened, false);
  return (
    <>
      {opened && <ClosedByBack onBack={sheet.onClose} />}
      <Sheet {...sheet} opened={shown} />
    </>
  );
}
