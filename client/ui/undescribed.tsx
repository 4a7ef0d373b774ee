import { useId } from 'react';

/**
 * Mantine describes a sheet by its whole content, so that a screen reader reads every field or entry when it opens. With
 * this the description is empty: the title, then the element that takes the focus, are read.
 * @returns the `id` of the sheet, the `attributes` of its body, and an element to render in the body
 */
export function useUndescribed() {
  const id = useId();
  return {
    id,
    body: { id: `${id}-content` },
    // The id that Mantine refers to and would give to the body.
    description: <span id={`${id}-body`} hidden />,
  };
}
