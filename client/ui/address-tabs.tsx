import { Tabs } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';

type Tab = { value: string; label: string; icon?: Icon; panel: ReactNode };

/**
 * Tabs whose choice is part of the address, the first of them without being named there. A press marks its tab at once;
 * what belongs to it, which may take longer than a frame to render, follows.
 * @param parameter its name in the address
 * @param replace whether the way back passes over the tabs that were looked at
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
    // A press on the tab one is on would take what is searched for and the filters out of the address.
    if (value === marked) return;
    setChosen(value);
    const named: Record<string, string> = value && value !== tabs[0].value ? { [parameter]: value } : {};
    afterPaint(() => setParameters(named, { replace, preventScrollReset: true }));
  }
  const id = useId();
  const panelId = `${id}-panel`;
  const tabId = (value: string) => `${id}-${value}`;
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
       * One panel, named after the tab that is marked: the one that is left stays in sight until the other is rendered.
       * The library's would render its tabs three times for each press, and look through all of the page for what asks which
       * tab is marked.
       */}
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(marked)}>
        {shown.panel}
      </div>
    </>
  );
}
