import { Fragment, type ReactNode } from 'react';

/** An e-mail address may break after its @ and its dots; elsewhere only as a last resort. Anything else stays as it is. */
export function breakable(contact: string): ReactNode {
  if (!contact.includes('@')) return contact;
  return contact.split(/(?<=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same part may come twice
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
