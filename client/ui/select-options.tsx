import { Combobox } from '@mantine/core';
import { randomId, shallowEqual } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import { sharedNames } from '#client/lib/namesakes.ts';
import { DOT } from '#client/lib/words.ts';
import styles from './select-options.module.css';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/** How an item is shown as an option. */
export type SelectOption = {
  /** Unique among the options. */
  value: string;
  /** The item's name, which the field shows once it is chosen. */
  label: string;
  /** Distinguishes it from others of the same name. */
  details?: string;
  /** Distinguishes it where others have the same name and details. */
  further?: string | null;
};

type OptionsProps<Item> = {
  items: readonly Item[];
  optionOf: (item: Item) => SelectOption;
  chosen: string | undefined;
  onChoose: (value: string) => void;
};

/** The drop-down list of a field. @param labelledBy the id of the field's label */
export function SelectOptions<Item>({
  labelledBy,
  children,
  ...options
}: OptionsProps<Item> & {
  labelledBy: string;
  /** Shown instead of or after the options. */
  children?: ReactNode;
}) {
  return (
    <Combobox.Dropdown>
      <Combobox.Options labelledBy={labelledBy} className={styles.options}>
        <Options {...options} />
        {children}
      </Combobox.Options>
    </Combobox.Dropdown>
  );
}

/** Plain elements, which Mantine's store finds by their attributes; rendered again only when the options change. */
const Options = memoWithStableHandlers<OptionsProps<never>>(
  OptionList,
  (before, next) => before.chosen === next.chosen && shallowEqual(before.items, next.items),
) as unknown as typeof OptionList;

function OptionList<Item>({ items, optionOf, chosen, onChoose }: OptionsProps<Item>) {
  /**
   * Other options get other ids: Mantine's field keeps the id that its arrow keys came to last as its active descendant,
   * and a screen reader must not take another option for it.
   */
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list of items
  const id = useMemo(() => randomId('option-'), [items]);
  const options = items.map(optionOf);
  const bothOf = ({ label, details }: SelectOption) => `${label}\n${details}`;
  const alike = new Set(sharedNames(options.map(bothOf)));
  return options.map((option, index) => {
    const { value, label } = option;
    const details = [option.details, alike.has(bothOf(option)) && option.further].filter(Boolean).join(DOT);
    const active = value === chosen;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and clicks what its keys have come to.
      <div
        key={value}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        className={`${Combobox.classes.option} ${styles.option}`}
        data-combobox-option
        data-combobox-active={active || undefined}
        data-detailed={details ? true : undefined}
        onClick={() => onChoose(value)}
      >
        <span className={styles.name}>{label}</span>
        {details && <span className={styles.details}>{details}</span>}
      </div>
    );
  });
}
