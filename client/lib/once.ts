import { useRef } from 'react';

/**
 * For a button: of two quick presses the second comes before it is shown as busy, and would start its action once more.
 * @returns performs an action, which shows its failure itself, unless the one before is still under way
 */
export function useOnce(): (action: () => Promise<unknown>) => void {
  const isUnderWay = useRef(false);
  return (action) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const end = () => {
      isUnderWay.current = false;
    };
    void action().then(end, end);
  };
}
