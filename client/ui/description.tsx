import { type ReactNode, useId } from 'react';

/** Mantine's `header` would be a second banner of the page. */
const HEADER = { role: 'presentation' };

/**
 * Mantine describes a sheet by its whole content, so that a screen reader reads every field or entry when it opens. With
 * this it reads the title, then the `question`, if there is one, then the element that takes the focus.
 * @returns the `id` of the sheet, the `attributes` of its parts, and an element to render in the body
 */
export function useDescription(question?: ReactNode) {
  const id = useId();
  // The id that Mantine refers to and would give to the body.
  const described = `${id}-body`;
  return {
    id,
    attributes: { body: { id: `${id}-content` }, header: HEADER },
    description: question ? <div id={described}>{question}</div> : <span id={described} hidden />,
  };
}
