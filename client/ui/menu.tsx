import { Menu as MantineMenu, type MenuProps } from '@mantine/core';
import { useDeferredValue, useState } from 'react';

/**
 * Mantine's menu, the press on which is answered before its entries are rendered. It closes at once: the next press has to
 * find it closed.
 */
function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const rendered = useDeferredValue(wanted);
  return <MantineMenu opened={wanted && rendered} onChange={setWanted} {...props} />;
}

const { Target, Dropdown, Item, Divider, Label } = MantineMenu;
const WithParts = Object.assign(Menu, { Target, Dropdown, Item, Divider, Label });

export { WithParts as Menu };
