import { Menu as MantineMenu, type MenuProps } from '@mantine/core';
import { type ComponentProps, type KeyboardEvent, useDeferredValue, useState } from 'react';

/**
 * Mantine's menu, the press on which is answered before its entries are rendered. It closes at once: the next press has to
 * find it closed.
 */
function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const rendered = useDeferredValue(wanted);
  return <MantineMenu opened={wanted && rendered} onChange={setWanted} trapFocus={false} {...props} />;
}

/** Once the library has noted what had the focus before, which gets it back. */
function focusFirst(dropdown: HTMLDivElement) {
  const timer = setTimeout(() =>
    dropdown.querySelector<HTMLElement>('[data-menu-item]:not(:disabled)')?.focus({ preventScroll: true }),
  );
  return () => clearTimeout(timer);
}

/** The keys of a menu are the arrows, Home, End and Esc. */
function keepTab(event: KeyboardEvent) {
  if (event.key === 'Tab') event.preventDefault();
}

/**
 * The entries, the first of which gets the focus. The library's trap gives it that twice, the second time after a frame: an
 * arrow key pressed between would be undone.
 */
function Dropdown(props: Omit<ComponentProps<typeof MantineMenu.Dropdown>, 'ref' | 'onKeyDown'>) {
  return <MantineMenu.Dropdown {...props} ref={focusFirst} onKeyDown={keepTab} />;
}

const { Target, Item, Divider, Label } = MantineMenu;
const WithParts = Object.assign(Menu, { Target, Dropdown, Item, Divider, Label });

export { WithParts as Menu };
