import { Menu as MantineMenu, type MenuProps } from '@mantine/core';
import { useDeferredValue, useState } from 'react';

/** Mantine's menu, the press on which is answered before its entries are rendered. */
function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const opened = useDeferredValue(wanted);
  return <MantineMenu opened={opened} onChange={setWanted} {...props} />;
}

const { Target, Dropdown, Item, Divider, Label } = MantineMenu;
const WithParts = Object.assign(Menu, { Target, Dropdown, Item, Divider, Label });

export { WithParts as Menu };
