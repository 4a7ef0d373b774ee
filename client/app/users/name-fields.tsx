import { TextInput } from '#client/ui/inputs.tsx';
import { MAX_NAME_LENGTH } from '#contract/lengths.ts';

/** The e-mail of an account, which cannot be changed. */
export function FixedEmail({ email }: { email: string }) {
  return (
    <TextInput
      label="Email"
      type="email"
      value={email}
      readOnly
      variant="filled"
      description="L’indirizzo email non si può modificare."
    />
  );
}

/**
 * The names of an account.
 * @param own whether they are those of the person at the browser, which may fill them in
 */
export function NameFields({
  form,
  own = false,
  autoFocus = false,
}: {
  form: { getInputProps(field: 'fullName' | 'companyName'): object };
  own?: boolean;
  autoFocus?: boolean;
}) {
  return (
    <>
      <TextInput
        label="Nome completo"
        required
        autoComplete={own ? 'name' : 'off'}
        maxLength={MAX_NAME_LENGTH}
        data-autofocus={autoFocus || undefined}
        {...form.getInputProps('fullName')}
      />
      <TextInput
        label="Azienda"
        autoComplete={own ? 'organization' : 'off'}
        maxLength={MAX_NAME_LENGTH}
        {...form.getInputProps('companyName')}
      />
    </>
  );
}
