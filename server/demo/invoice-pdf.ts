import PDFDocument from 'pdfkit';
import { formatDate } from '#contract/dates.ts';
import { formatEuro, toEuro } from '#contract/money.ts';
import { provider } from '#provider';
import type { DemoInvoice } from './year.ts';

const MARGIN = 56;
const RIGHT = 595.28 - MARGIN;
const INK = '#13252b';
const SOFT = '#465a61';
const PETROL = '#0a4f5d';

/** The data of an invoice besides its lines. */
export type InvoiceHead = { number: string; customer: string; projectName: string; location: string };

/** An amount in euro with plain spaces, because the standard PDF fonts have no no-break spaces. */
function plainEuro(cents: number): string {
  return formatEuro(toEuro(cents)).replace(/\u00a0/g, ' ');
}

/** Draws an invoice of the demo year on one A4 page, which states that it is not a tax document. */
export async function drawInvoice(head: InvoiceHead, invoice: DemoInvoice): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: {
      Title: `Fattura ${head.number}`,
      Author: provider.legalName,
      // Fixed, so that the same invoice gives the same bytes on any day.
      CreationDate: new Date(`${invoice.issueDate}T08:00:00Z`),
    },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const finished = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });

  const { street, postalCode, city } = provider.address;
  pdf.fillColor(PETROL).font('Helvetica-Bold').fontSize(22).text(provider.name, MARGIN, MARGIN);
  pdf
    .fillColor(SOFT)
    .font('Helvetica')
    .fontSize(9)
    .text(`${provider.legalName} · ${street}, ${postalCode} ${city}`);
  pdf.fillColor(INK).font('Helvetica-Bold').fontSize(16).text('Fattura', MARGIN, 140);
  pdf.font('Helvetica').fontSize(10);
  const facts: [string, string][] = [
    ['Numero', head.number],
    ['Data di emissione', formatDate(invoice.issueDate)],
    ['Scadenza', formatDate(invoice.dueDate)],
    ['Cliente', head.customer],
    ['Progetto', `${head.projectName}, ${head.location}`],
  ];
  let y = 170;
  for (const [label, value] of facts) {
    pdf.fillColor(SOFT).text(label, MARGIN, y, { width: 110 });
    pdf.fillColor(INK).text(value, MARGIN + 120, y, { width: RIGHT - MARGIN - 120 });
    y = Math.max(pdf.y, y + 12) + 4;
  }

  y += 20;
  const column = { quantity: 330, unit: 385, sum: 460 };
  pdf.fillColor(SOFT).fontSize(9);
  pdf.text('Descrizione', MARGIN, y).text('Quantità', column.quantity, y, { width: 50, align: 'right' });
  pdf.text('Prezzo', column.unit, y, { width: 70, align: 'right' });
  pdf.text('Importo', column.sum, y, { width: RIGHT - column.sum, align: 'right' });
  y += 16;
  pdf.fillColor(INK).fontSize(10);
  for (const { what, quantity, unit } of invoice.lines) {
    pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor('#cbd5d5').stroke();
    y += 8;
    pdf.text(what, MARGIN, y, { width: column.quantity - MARGIN - 8 });
    const below = pdf.y;
    pdf.text(String(quantity), column.quantity, y, { width: 50, align: 'right' });
    pdf.text(plainEuro(unit), column.unit, y, { width: 70, align: 'right' });
    pdf.text(plainEuro(quantity * unit), column.sum, y, { width: RIGHT - column.sum, align: 'right' });
    y = Math.max(below, y + 12) + 6;
  }
  pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(1).strokeColor(PETROL).stroke();
  pdf.font('Helvetica-Bold').fontSize(13);
  pdf.text('Totale', MARGIN, y + 12);
  pdf.text(plainEuro(invoice.amount), column.unit, y + 12, { width: RIGHT - column.unit, align: 'right' });
  pdf.font('Helvetica').fontSize(8).fillColor(SOFT);
  pdf.text('Documento dimostrativo, senza valore fiscale.', MARGIN, 770, { lineBreak: false });
  pdf.end();
  await finished;
  return Buffer.concat(chunks);
}
