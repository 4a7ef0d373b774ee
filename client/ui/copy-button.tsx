import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { copyText } from '#client/lib/clipboard.ts';
import { toast } from '#client/lib/toast.ts';

/**
 * Copies `text` and reports the result.
 * @param copied the message on success
 * @param otherwise what to do if the browser refuses
 */
export function CopyButton({
  text,
  copied,
  otherwise,
  children,
}: {
  text: string;
  copied: string;
  otherwise: string;
  children: string;
}) {
  const copy = async () => {
    if (await copyText(text)) toast({ title: copied });
    else toast({ title: 'Copia non riuscita', message: otherwise, kind: 'error' });
  };
  return (
    <Button variant="default" onClick={copy} leftSection={<IconCopy size={18} aria-hidden="true" />}>
      {children}
    </Button>
  );
}
