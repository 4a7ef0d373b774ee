import { type ReactNode, useId } from 'react';
import { hideBelow } from './layers.ts';

/** Mantine's `header` would be a second banner of the page. */
const HEADER = { role: 'presentation' };

/**
 * What a screen reader is told of a sheet. Mantine describes one by its whole content, which would be read when it opens, every
 * field or entry. With this it reads the title, then the `question`, if there is one, then the element that takes the focus,
 * and leaves out what is below the sheet.
 * @returns the `id` of the sheet, the `attributes` of its parts, and an element to render in the body
 */
export function useDescription(question?: ReactNode) {
  const id = useId();
  return {
    id,
    attributes: { body: { id: `${id}-content` }, header: HEADER },
    description: (
      // The id is the one that Mantine refers to and would give to the body.
      <div ref={hideBelow} id={`${id}-body`} hidden={!question}>
        {question}
      </div>
    ),
  };
}
