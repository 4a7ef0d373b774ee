import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '#client/lib/api.ts';
import { saveFile } from '#client/lib/save-file.ts';
import { RowButton } from '#client/ui/row-button.tsx';
import { toast } from '#client/ui/toast.ts';
import { ERRORS } from '#contract/errors.ts';
import { INVOICE_TEXTS, type Invoice } from '#contract/invoices.ts';
import { downloadInvoice } from './api.ts';

/** Saves the PDF of an invoice; without one it says so. */
export function DownloadButton({ invoice }: { invoice: Invoice }) {
  const { fileName } = invoice;
  const download = useMutation({
    mutationFn: () => downloadInvoice(invoice),
    onMutate: () => toast({ title: INVOICE_TEXTS.downloadStarted(invoice.number) }),
    onSuccess: (content) => saveFile(content, fileName ?? 'fattura.pdf'),
    onError: (error) =>
      toast({
        title:
          error instanceof ApiError && error.code === 'file_missing'
            ? error.message
            : INVOICE_TEXTS.downloadFailed,
        kind: 'error',
      }),
  });
  return (
    <RowButton
      look="filled"
      icon={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
      aria-label={`Scarica il PDF della fattura ${invoice.number}`}
      loading={download.isPending}
      onClick={() =>
        fileName === null ? toast({ title: ERRORS.file_missing.message, kind: 'error' }) : download.mutate()
      }
    >
      PDF
    </RowButton>
  );
}
