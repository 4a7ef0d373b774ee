import { Button, UnstyledButton } from '@mantine/core';
import {
  IconDotsVertical,
  IconDownload,
  IconEye,
  IconFileTypePdf,
  IconReplace,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { savePdf } from '#client/app/invoices/save-pdf.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Menu } from '#client/ui/menu.tsx';
import { useFocusInPlace } from '#client/ui/opener.ts';
import type { AdminInvoice } from '#contract/admin-invoices.ts';
import { useAnyInvoiceFile } from './api.ts';
import styles from './file-cell.module.css';
import { useOpenInvoiceDialog } from './invoice-dialogs.tsx';

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** How many characters at the end of a file name always stay visible: the end of an invoice's code, and '.pdf'. */
const NAME_END = 9;

/**
 * Where the end of `name` begins. A name that is hardly longer is all end: a beginning has a minimal width, which would
 * be a gap beside the icon.
 */
const endOf = (name: string) => (name.length > NAME_END + 2 ? name.length - NAME_END : 0);

/** Downloads the PDF of `invoice` and reports the result. */
function useDownload(invoice: AdminInvoice): { isPending: boolean; download: () => void } {
  const load = useAnyInvoiceFile();
  const inPlace = useFocusInPlace();
  const { isPending, mutateAsync } = useMutation({ mutationFn: () => load(invoice), onSuccess: savePdf });
  return {
    isPending,
    download: () =>
      inPlace(async () => {
        await mutateAsync();
      }),
  };
}

/**
 * The PDF of an invoice: its name opens a preview, the menu downloads, replaces or removes it. Must be below
 * `InvoiceDialogs`.
 */
export function FileCell({ invoice }: { invoice: AdminInvoice }) {
  const open = useOpenInvoiceDialog();
  const { isPending, download } = useDownload(invoice);
  const { fileName, number } = invoice;
  const endAt = endOf(fileName ?? '');
  return fileName === null ? (
    <Button
      className={styles.upload}
      variant="default"
      size="compact-sm"
      leftSection={<IconUpload {...icon} />}
      aria-label={`Carica PDF della fattura ${number}`}
      onClick={() => open({ kind: 'upload file', invoice })}
    >
      Carica<span className={styles.more}>&nbsp;PDF</span>
    </Button>
  ) : (
    <div className={styles.file}>
      <UnstyledButton
        className={styles.name}
        // Most files are named after their invoice: its number is said once.
        aria-label={`Anteprima di ${fileName.includes(number) ? fileName : `${fileName}, PDF della fattura ${number}`}`}
        onClick={() => open({ kind: 'preview file', invoice })}
      >
        <IconFileTypePdf {...icon} size={20} />
        {/* Not a title of the button, which would be read out after its name. */}
        <span className={styles.short} title={fileName}>
          PDF
        </span>
        <span className={styles.text} title={fileName}>
          {endAt > 0 && <span className={styles.start}>{fileName.slice(0, endAt)}</span>}
          {fileName.slice(endAt)}
        </span>
      </UnstyledButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton aria-label={`Azioni sul PDF della fattura ${number}`} loading={isPending}>
            <IconDotsVertical {...icon} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconEye {...icon} />}
            onClick={() => open({ kind: 'preview file', invoice })}
          >
            Anteprima
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload {...icon} />} onClick={download}>
            Scarica PDF
          </Menu.Item>
          <Menu.Item
            leftSection={<IconReplace {...icon} />}
            onClick={() => open({ kind: 'upload file', invoice })}
          >
            Sostituisci PDF
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash {...icon} />}
            onClick={() => open({ kind: 'remove file', invoice })}
          >
            Elimina PDF
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
