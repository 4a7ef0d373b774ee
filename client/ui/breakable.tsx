import { Fragment, type ReactNode } from 'react';
import { phoneParts } from '#contract/phones.ts';

/** Lets an e-mail address break after its @ and dots, and elsewhere only as a last resort. Other text is unchanged. */
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

/** The content of a phone field, with a link to each number in it. */
export function phoneLinks(text: string): ReactNode {
  return phoneParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same part may come twice
    <Fragment key={index}>{part.href === null ? part.text : <a href={part.href}>{part.text}</a>}</Fragment>
  ));
}
