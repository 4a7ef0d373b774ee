import { Fragment } from 'react';
import { phoneParts } from '#contract/phones.ts';

/** The content of a phone field, with a link to each number in it. */
export function PhoneLinks({ text }: { text: string }) {
  return phoneParts(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same part may come twice
    <Fragment key={index}>{part.href === null ? part.text : <a href={part.href}>{part.text}</a>}</Fragment>
  ));
}
