import PDFDocument from 'pdfkit';

/** `bytes` bytes that begin like a PDF, for tests that do not read it. */
export function pdfOf(bytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes).fill(0x20);
  content.set(new TextEncoder().encode('%PDF-1.7\n').subarray(0, bytes));
  return content;
}

/** A real one-page PDF with `text`. */
export async function readablePdf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const document = new PDFDocument({ size: 'A4' });
  document.fontSize(20).text(text);
  document.end();
  const chunks: Buffer[] = [];
  for await (const chunk of document) chunks.push(Buffer.from(chunk));
  return new Uint8Array(Buffer.concat(chunks));
}
