import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { isGone } from '#client/lib/failures.ts';
import { saveFile } from '#client/lib/save-file.ts';
import { toast } from '#client/lib/toast.ts';
import { useFocusInPlace } from '#client/ui/opener.ts';
import { RowButton } from '#client/ui/row-button.tsx';
import { INVOICE_TEXTS, type Invoice } from '#contract/invoices.ts';
import { useInvoicesChanged } from './api.ts';
import { downloadInvoice } from './download.ts';

/**
 * Downloads the PDF of an invoice, or says that there is none. Always asks the server, because a PDF may have been
 * added since the list was loaded.
 */
export function DownloadButton({ invoice }: { invoice: Invoice }) {
  const { fileName, number } = invoice;
  const changed = useInvoicesChanged();
  const inPlace = useFocusInPlace();
  const tellStarted = () => toast({ title: INVOICE_TEXTS.downloadStarted(number) });
  const download = useMutation({
    mutationFn: () => downloadInvoice(invoice),
    onMutate: () => {
      if (fileName !== null) tellStarted();
    },
    onSuccess: (content) => {
      saveFile(content, content.name);
      if (fileName !== null) return;
      tellStarted();
      void changed();
    },
    onError: (error) => {
      // The list shows a file or an invoice that has been deleted since.
      if (isGone(error)) void changed();
    },
  });
  const save = async () => {
    await download.mutateAsync();
  };
  return (
    <RowButton
      look="filled"
      icon={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
      aria-label={`Scarica il PDF della fattura ${number}`}
      loading={download.isPending}
      onClick={() => inPlace(save)}
    >
      PDF
    </RowButton>
  );
}
