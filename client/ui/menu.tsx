import { Menu as MantineMenu, type MenuProps } from '@mantine/core';
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  use,
  useDeferredValue,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

type Look = Pick<MenuProps, 'position' | 'width' | 'shadow' | 'middlewares'>;

const MenuParts = createContext<{
  id: string;
  look: Look;
  button: RefObject<HTMLButtonElement | null>;
  /** Whether the entries are shown. */
  opened: boolean;
  /** Whether it was ever opened. */
  used: boolean;
  change: (opened: boolean) => void;
} | null>(null);

function useMenuParts() {
  const parts = use(MenuParts);
  if (!parts) throw new Error('parts of a menu must be in a Menu');
  return parts;
}

/**
 * A button (`Menu.Target`) that opens a list of actions (`Menu.Dropdown`). It shows the press before its entries are
 * rendered, and closes at once, so that the next press finds it closed. Mantine's menu, which renders twice when it appears,
 * is rendered only once the button was pressed: a list has one or two per row.
 */
function Menu({ children, ...look }: Look & { children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(false);
  const [used, setUsed] = useState(false);
  const rendered = useDeferredValue(wanted);
  function change(opened: boolean) {
    setWanted(opened);
    if (opened) setUsed(true);
  }
  return (
    <MenuParts value={{ id, look, button, opened: wanted && rendered, used, change }}>{children}</MenuParts>
  );
}

/** The button. */
function Target({ children }: { children: ReactElement<ComponentProps<'button'>> }) {
  const { id, button, opened, change } = useMenuParts();
  return cloneElement(children, {
    ref: button,
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    onClick: () => change(!opened),
  });
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

/** Stands for the button in Mantine's menu, which opens beside it. */
function Anchor({ ref, button }: { ref?: Ref<HTMLElement>; button: RefObject<HTMLElement | null> }) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button.current, [button]);
  return null;
}

/**
 * The entries; the first one gets the focus. Mantine's focus trap would set it twice, the second time a frame later,
 * and undo an arrow key pressed in between.
 */
function Dropdown({ children }: { children: ReactNode }) {
  const { id, look, button, opened, used, change } = useMenuParts();
  if (!used) return null;
  return (
    <MantineMenu {...look} id={id} opened={opened} onChange={change} trapFocus={false}>
      <MantineMenu.Target>
        <Anchor button={button} />
      </MantineMenu.Target>
      <MantineMenu.Dropdown ref={focusFirst} onKeyDown={keepTab}>
        {children}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}

const { Item, Divider, Label } = MantineMenu;
const WithParts = Object.assign(Menu, { Target, Dropdown, Item, Divider, Label });

export { WithParts as Menu };
