import { Tabs } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';

type Tab = { value: string; label: string; icon?: Icon; panel: ReactNode };

/**
 * Tabs whose selection is part of the URL; the first tab is the default and not named there. A press marks its tab at
 * once; its panel, which may take longer than a frame to render, follows.
 * @param parameter name of the URL's query parameter
 * @param replace whether changing tabs replaces the history entry, so that going back skips the visited tabs
 */
export function AddressTabs({
  parameter,
  tabs,
  replace = false,
}: {
  parameter: string;
  tabs: readonly [Tab, ...Tab[]];
  replace?: boolean;
}) {
  const [parameters, setParameters] = useSearchParams();
  const shown = tabs.find(({ value }) => value === parameters.get(parameter)) ?? tabs[0];
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once what was chosen is there, the address decides again
  useEffect(() => setChosen(null), [shown.value]);
  const marked = chosen ?? shown.value;
  function choose(value: string | null) {
    // Pressing the current tab would remove the search text and filters from the URL.
    if (value === marked) return;
    setChosen(value);
    const named: Record<string, string> = value && value !== tabs[0].value ? { [parameter]: value } : {};
    afterPaint(() => setParameters(named, { replace, preventScrollReset: true }));
  }
  const id = useId();
  const panelId = `${id}-panel`;
  const tabId = (value: string) => `${id}-${value}`;
  const shownTab = tabId(shown.value);
  /** What last had the focus in the panel. */
  const focused = useRef<Element>(null);
  // A link in a panel that leads to another one disappears with the focus.
  useLayoutEffect(() => {
    if (focused.current?.isConnected !== false || document.activeElement !== document.body) return;
    document.getElementById(shownTab)?.focus({ preventScroll: true });
  }, [shownTab]);
  return (
    <>
      <Tabs value={marked} onChange={choose}>
        <Tabs.List mb="lg">
          {tabs.map(({ value, label, icon: IconOf }) => (
            <Tabs.Tab
              key={value}
              value={value}
              id={tabId(value)}
              leftSection={IconOf && <IconOf size={18} aria-hidden="true" />}
              aria-controls={value === marked ? panelId : undefined}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {/*
       * A single panel, labelled by the marked tab, so that the previous content stays visible until the new one is
       * rendered. Mantine's panels would render the tabs three times per press and search the whole page for elements
       * that depend on the selected tab.
       */}
      <div
        role="tabpanel"
        id={panelId}
        aria-labelledby={tabId(marked)}
        onFocus={({ target }) => {
          focused.current = target;
        }}
      >
        {shown.panel}
      </div>
    </>
  );
}
