import { Radio } from '@mantine/core';
import styles from './choice-cards.module.css';
import { memoWithStableHandlers } from './stable-handlers.tsx';

/**
 * A choice between a few options, all visible; the whole card can be pressed. Works with `form.getInputProps()`.
 * @param options the same array on every render, so that other fields of the form do not render it
 */
export const ChoiceCards = memoWithStableHandlers(function ChoiceCards({
  label,
  description,
  options,
  ...field
}: {
  label: string;
  description?: string;
  options: readonly { value: string; label: string; description?: string }[];
  value?: string;
  onChange?: (value: string) => void;
  error?: React.ReactNode;
}) {
  return (
    <Radio.Group
      label={label}
      description={description}
      classNames={{ label: styles.name, description: styles.help, error: styles.help }}
      {...field}
    >
      <div className={styles.cards}>
        {options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            label={option.label}
            description={option.description}
            classNames={{
              root: option.description ? styles.card : `${styles.card} ${styles.plain}`,
              body: styles.body,
              inner: styles.inner,
              label: styles.label,
            }}
          />
        ))}
      </div>
    </Radio.Group>
  );
});
