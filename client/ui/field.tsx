import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import styles from './field.module.css';
import tick from './tick.module.css';

type FieldProps = {
  label: string;
  /** Help text below the field, read out with it. */
  help?: ReactNode;
  /** Shown next to the field, which is marked as invalid. */
  error?: ReactNode;
  /** Marks the field as invalid when the message is shown elsewhere. */
  invalid?: boolean | undefined;
};

function useField({ help, error, invalid }: Pick<FieldProps, 'help' | 'error' | 'invalid'>) {
  const id = useId();
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ');
  return {
    id,
    control: {
      id,
      className: styles.control,
      // Always said, because Firefox takes an empty required field for invalid.
      'aria-invalid': !!(error || invalid),
      'aria-describedby': described || undefined,
    },
  };
}

function Frame({
  id,
  label,
  help,
  error,
  required,
  children,
}: FieldProps & { id: string; required?: boolean; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {!required && <span className={styles.optional}> (facoltativo)</span>}
      </label>
      {children}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {help && (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** A single-line field with its label above, help and error below. */
export function TextField({
  label,
  help,
  error,
  invalid,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id'>) {
  const { id, control } = useField({ help, error, invalid });
  return (
    <Frame id={id} label={label} help={help} error={error} required={input.required}>
      <input {...input} {...control} />
    </Frame>
  );
}

/**
 * A password field whose content can be revealed.
 * @param named what the button that reveals it calls the content
 */
export function PasswordField({
  label,
  help,
  error,
  invalid,
  named = 'password',
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'> & { named?: string }) {
  const { id, control } = useField({ help, error, invalid });
  const [shown, setShown] = useState(false);
  const Eye = shown ? IconEyeOff : IconEye;
  return (
    <Frame id={id} label={label} help={help} error={error} required={input.required}>
      <div className={styles.password}>
        <input {...input} {...control} type={shown ? 'text' : 'password'} />
        <button
          type="button"
          className={styles.reveal}
          aria-label={`${shown ? 'Nascondi' : 'Mostra'} la ${named}`}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          <Eye size={22} stroke={1.75} aria-hidden="true" />
        </button>
      </div>
    </Frame>
  );
}

/** A multi-line field. */
export function TextArea({
  label,
  help,
  error,
  invalid,
  ...input
}: FieldProps & Omit<ComponentProps<'textarea'>, 'className' | 'id'>) {
  const { id, control } = useField({ help, error, invalid });
  return (
    <Frame id={id} label={label} help={help} error={error} required={input.required}>
      <textarea rows={5} {...input} {...control} />
    </Frame>
  );
}

/** A choice among a few options, all visible. */
export function RadioGroup({
  legend,
  name,
  options,
  defaultValue,
  help,
}: {
  legend: string;
  name: string;
  options: readonly { value: string; label: string }[];
  defaultValue: string;
  help?: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={help ? `${id}-help` : undefined}>
      <legend className={styles.label}>{legend}</legend>
      <div className={styles.options}>
        {options.map(({ value, label }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
              className={tick.tick}
            />
            {label}
          </label>
        ))}
      </div>
      {help && (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      )}
    </fieldset>
  );
}

/** A single yes-or-no choice. */
export function Checkbox({ label, ...input }: { label: ReactNode } & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className={styles.option}>
      <input {...input} type="checkbox" className={tick.tick} />
      {label}
    </label>
  );
}
