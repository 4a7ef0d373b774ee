import { type ChangeEvent, useState } from 'react';
import { usePostponed } from './use-postponed.ts';

/**
 * For a checkbox that much of a page depends on: it is ticked in the frame that responds to the press.
 * @param onChange called after that frame with the new state
 */
export function usePromptTick(checked: boolean, onChange: (checked: boolean) => void) {
  const [pressed, setPressed] = useState<boolean | null>(null);
  const { postpone, settle } = usePostponed();
  return {
    checked: pressed ?? checked,
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
      const isTicked = currentTarget.checked;
      setPressed(isTicked);
      postpone(() => {
        onChange(isTicked);
        setPressed(null);
      });
    },
    // What a key leads to, as the next control with Tab, may depend on the tick.
    onKeyDown: settle,
  };
}
