import { Alert, Button, Group, Loader, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import styles from './pdf-preview.module.css';
import { savePdf } from './save-pdf.ts';

/** An object URL for `content` while it is shown. */
function useObjectUrl(content: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!content) return;
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [content]);
  return url;
}

/** A PDF shown by the browser's own viewer; without one (most phones), it can be downloaded. */
export function PdfPreview({
  fileName,
  queryKey,
  load,
  onClose,
}: {
  /** Its name as far as is known before it is there. */
  fileName: string;
  /** Identifies this version of the file in the cache. */
  queryKey: readonly string[];
  load: () => Promise<File>;
  onClose: () => void;
}) {
  const { data, error } = useQuery({ queryKey, queryFn: load, gcTime: 0 });
  const url = useObjectUrl(data);
  const loading = !error && !data;
  const name = data?.name ?? fileName;
  return (
    <Dialog opened onClose={onClose} title={name} size="60rem" fullScreenOnPhone>
      <Stack>
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        <div role="status" className="visually-hidden">
          {loading && 'Caricamento del PDF…'}
        </div>
        {loading && (
          <Group justify="center" className={styles.frame}>
            <Loader aria-hidden="true" />
          </Group>
        )}
        {url && navigator.pdfViewerEnabled && (
          // Invoices have a page or two, and the viewer's page list would take half the width of a phone.
          <iframe className={styles.frame} src={`${url}#navpanes=0`} title={name} />
        )}
        {url && !navigator.pdfViewerEnabled && (
          <Alert role="alert">Questo browser non mostra i PDF nella pagina: scaricalo per aprirlo.</Alert>
        )}
        <Group justify="flex-end">
          <Button
            disabled={!data}
            leftSection={<IconDownload size={18} aria-hidden="true" />}
            onClick={() => data && afterPaint(() => savePdf(data))}
          >
            Scarica PDF
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
