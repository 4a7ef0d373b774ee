import { type ChangeEvent, useState } from 'react';
import { usePostponed } from './use-postponed.ts';

/**
 * For a checkbox that much of a page depends on: it is ticked in the frame that answers the press.
 * @param onChange told after that frame whether it is ticked now
 */
export function usePromptTick(checked: boolean, onChange: (checked: boolean) => void) {
  const [pressed, setPressed] = useState<boolean | null>(null);
  const { postpone } = usePostponed();
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
  };
}
