/**
 * Generates a workbook in a thread of its own (`server/http/spreadsheet.ts`): for thousands of rows this takes a
 * second, in which the process could not answer anybody.
 */
import { parentPort, workerData } from 'node:worker_threads';
import writeXlsxFile from 'write-excel-file/node';

/**
 * The content of a workbook, as plain data that can be passed between threads. Dates are calendar dates, money is in euro.
 */
export type Workbook = {
  sheet: string;
  columns: { header: string; width: number; type: 'text' | 'date' | 'money' }[];
  rows: (string | number | null)[][];
};

type Column = Workbook['columns'][number];

function cellOf({ type }: Column, value: string | number | null) {
  if (value === null) return null;
  if (type === 'money') return { value, type: Number, format: '#,##0.00' };
  if (type === 'date') return { value: new Date(`${value}T00:00:00Z`), type: Date, format: 'dd/mm/yyyy' };
  return { value, type: String };
}

/** One sheet with real numbers and dates, and a sticky header row. */
async function draw({ sheet, columns, rows }: Workbook): Promise<Uint8Array<ArrayBuffer>> {
  const header = columns.map((column) => ({
    value: column.header,
    type: String,
    fontWeight: 'bold' as const,
    align: column.type === 'money' ? ('right' as const) : ('left' as const),
  }));
  const cells = rows.map((row) => columns.map((column, index) => cellOf(column, row[index] ?? null)));
  const content = await writeXlsxFile([header, ...cells], {
    sheet,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer();
  return new Uint8Array(content);
}

const drawn = await draw(workerData);
parentPort?.postMessage(drawn, [drawn.buffer]);
