type Required = { required?: boolean | undefined };

/**
 * The props of a Mantine field with `required` said by ARIA alone. With the browser's own `required`, Firefox tells
 * screen readers that an empty field is invalid before anybody has typed; the form's rules check it in any case.
 */
export function requiredByAria<Props extends Required>({ required, ...field }: Props) {
  return { ...field, withAsterisk: required, 'aria-required': required };
}
