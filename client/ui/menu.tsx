import { Menu as MantineMenu, type MenuProps } from '@mantine/core';
import { type ComponentProps, type KeyboardEvent, useDeferredValue, useState } from 'react';

/**
 * Mantine's menu, which shows the press before its entries are rendered. It closes at once, so that the next press
 * finds it closed.
 */
function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const rendered = useDeferredValue(wanted);
  return <MantineMenu opened={wanted && rendered} onChange={setWanted} trapFocus={false} {...props} />;
}

/** Deferred until Mantine has recorded the previously focused element, to which it returns the focus. */
function focusFirst(dropdown: HTMLDivElement) {
  const timer = setTimeout(() =>
    dropdown.querySelector<HTMLElement>('[data-menu-item]:not(:disabled)')?.focus({ preventScroll: true }),
  );
  return () => clearTimeout(timer);
}

/** A menu uses the arrow keys, Home, End and Esc; Tab must not leave it. */
function keepTab(event: KeyboardEvent) {
  if (event.key === 'Tab') event.preventDefault();
}

/**
 * The entries; the first one gets the focus. Mantine's focus trap would set it twice, the second time a frame later,
 * and undo an arrow key pressed in between.
 */
function Dropdown(props: Omit<ComponentProps<typeof MantineMenu.Dropdown>, 'ref' | 'onKeyDown'>) {
  return <MantineMenu.Dropdown {...props} ref={focusFirst} onKeyDown={keepTab} />;
}

const { Target, Item, Divider, Label } = MantineMenu;
const WithParts = Object.assign(Menu, { Target, Dropdown, Item, Divider, Label });

export { WithParts as Menu };
