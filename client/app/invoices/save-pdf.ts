import { saveFile } from '#client/lib/save-file.ts';
import { toast } from '#client/lib/toast.ts';
import { ADMIN_INVOICE_TEXTS } from '#contract/admin-invoices.ts';

/** Saves a downloaded PDF under its name, and says so (spec §8). */
export function savePdf(file: File): void {
  saveFile(file, file.name);
  toast({ title: ADMIN_INVOICE_TEXTS.downloaded, message: file.name });
}
