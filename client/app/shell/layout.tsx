import { MantineProvider } from '@mantine/core';
import { Outlet } from 'react-router';
import { cssVariablesResolver, theme } from '#client/ui/theme/mantine.ts';
import './locale.ts';
import './mantine.css';

/** The frame of `/app`: Mantine on the product's tokens, following the system's colour scheme. */
export default function AppLayout() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <Outlet />
    </MantineProvider>
  );
}
