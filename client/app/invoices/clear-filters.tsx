import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { startTransition } from 'react';
import { focusTitleAbove } from '#client/ui/opener.ts';

/** 'Togli i filtri' of a list that they leave empty. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button
      variant="default"
      leftSection={<IconFilterOff size={18} aria-hidden="true" />}
      onClick={({ currentTarget }) => {
        focusTitleAbove(currentTarget);
        // A transition, because resetting all the fields would delay the response to the press.
        startTransition(onClear);
      }}
    >
      Togli i filtri
    </Button>
  );
}
