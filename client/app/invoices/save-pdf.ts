import { saveFile } from '#client/lib/save-file.ts';
import { toast } from '#client/lib/toast.ts';
import { ADMIN_INVOICE_TEXTS } from '#contract/admin-invoices.ts';

/** Saves a downloaded PDF under `name`, and says so (spec §8). */
export function savePdf(content: Blob, name: string): void {
  saveFile(content, name);
  toast({ title: ADMIN_INVOICE_TEXTS.downloaded, message: name });
}
