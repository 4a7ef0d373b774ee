import { Radio } from '@mantine/core';
import styles from './choice-cards.module.css';

/** A choice between a few options, all visible; the whole card can be pressed. Works with `form.getInputProps()`. */
export function ChoiceCards<Value extends string>({
  label,
  description,
  options,
  ...field
}: {
  label: string;
  description?: string;
  options: readonly { value: Value; label: string; description?: string }[];
  value?: Value;
  onChange?: (value: Value) => void;
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
}
