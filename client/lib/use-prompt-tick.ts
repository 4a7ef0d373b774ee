import { type ChangeEvent, startTransition, useOptimistic } from 'react';

/**
 * For a checkbox that much of a page depends on: it is ticked in the frame that answers the press, and the rest is rendered
 * as a transition, which the next press does not wait for.
 * @param onChange told whether it is ticked now
 */
export function usePromptTick(checked: boolean, onChange: (checked: boolean) => void) {
  const [shown, show] = useOptimistic(checked);
  return {
    checked: shown,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
      const pressed = currentTarget.checked;
      startTransition(() => {
        show(pressed);
        onChange(pressed);
      });
    },
  };
}
