import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Context } from 'hono';
import pLimit from 'p-limit';
import Papa from 'papaparse';
import type { Logger } from 'pino';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import { EXPORT_TYPES, type ExportFormat } from '#contract/lists.ts';
import { requireOpenSession } from '#server/auth/session.ts';
import { AppError } from '#server/errors.ts';
import { type AppEnv, actorOf } from './env.ts';
import { contentDisposition } from './file-answer.ts';
import { limitRate } from './rate-limit.ts';
import type { Workbook } from './xlsx-thread.ts';

/** Next to this file, both in the source and in the build. */
const XLSX_THREAD = join(import.meta.dirname, `xlsx-thread${extname(import.meta.filename)}`);

/** Rows per page of an export. */
const ROWS_AT_ONCE = 1000;

/** Each export reads and formats up to the whole list; the limit is far above what a person opens. */
const EXPORTS_PER_HOUR = 60;

/** A column of an export: its header and the value of each row; money is in euro. */
export type SpreadsheetColumn<Row> = {
  header: string;
  /** In characters. */
  width: number;
} & (
  | { type: 'text'; value(row: Row): string | null }
  | { type: 'date'; value(row: Row): CalendarDate | null }
  | { type: 'money'; value(row: Row): number }
);

const CONTENT_TYPES = { ...EXPORT_TYPES, csv: `${EXPORT_TYPES.csv}; charset=utf-8` } as const;

const BYTE_ORDER_MARK = '\uFEFF';

const italianNumber = new Intl.NumberFormat('it-IT', { minimumFractionDigits: 2, useGrouping: false });

function csvCell<Row>(column: SpreadsheetColumn<Row>, row: Row): string {
  if (column.type === 'money') return italianNumber.format(column.value(row));
  if (column.type === 'date') {
    const date = column.value(row);
    return date === null ? '' : formatDate(date);
  }
  return column.value(row) ?? '';
}

/** The beginnings of a formula. Papa's own pattern lets text of several lines through. */
const FORMULA = /^[=+\-@\t\r]/;

function csvLines(rows: string[][]): string {
  if (rows.length === 0) return '';
  return `${Papa.unparse(rows, { delimiter: ';', newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}

/**
 * The beginning of a CSV file as Excel with Italian settings opens it by a double click: UTF-8 with a byte order mark,
 * semicolons, decimal commas, dd/mm/yyyy. Text that would be taken for a formula is escaped.
 */
const csvHead = <Row>(columns: readonly SpreadsheetColumn<Row>[]): string =>
  BYTE_ORDER_MARK + csvLines([columns.map(({ header }) => header)]);

const csvBody = <Row>(columns: readonly SpreadsheetColumn<Row>[], rows: readonly Row[]): string =>
  csvLines(rows.map((row) => columns.map((column) => csvCell(column, row))));

/**
 * A CSV file, written as its rows arrive. Breaks off if they cannot be read, so that nobody takes a part for the whole.
 */
function streamCsv<Row>(
  log: Logger,
  columns: readonly SpreadsheetColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  async function* parts() {
    yield encoder.encode(csvHead(columns));
    try {
      for await (const rows of pages) yield encoder.encode(csvBody(columns, rows));
    } catch (error) {
      // A reader that goes away is reported here as well.
      const expected = error instanceof AppError || (error instanceof Error && error.name === 'AbortError');
      log[expected ? 'info' : 'error']({ err: error }, 'export aborted');
      // The HTTP server prints the error that ends a stream; a failed query would be printed with its parameters.
      throw new Error('export aborted');
    }
  }
  // Node's web stream is the global one, but has a type of its own.
  return Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** One workbook at a time: the largest takes 400 MB while it is generated, and several would exhaust a small machine. */
const inTurn = pLimit(1);

/** A workbook with one sheet, generated in a thread of its own. */
async function toXlsx<Row>(
  sheet: string,
  columns: readonly SpreadsheetColumn<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): Promise<Uint8Array<ArrayBuffer>> {
  const workbook: Workbook = {
    sheet,
    columns: columns.map(({ header, width, type }) => ({ header, width, type })),
    rows: [],
  };
  for await (const rows of pages)
    for (const row of rows) workbook.rows.push(columns.map((column) => column.value(row)));
  const [content] = await once(new Worker(XLSX_THREAD, { workerData: workbook }), 'message');
  return content;
}

/** Splits rows, or what they are read by, into the pages of an export. Other requests are answered in between. */
export async function* pagesOf<Row>(
  rows: readonly Row[],
  atOnce = ROWS_AT_ONCE,
): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += atOnce) {
    yield rows.slice(start, start + atOnce);
    await setImmediate();
  }
}

/**
 * Passes `pages` on as long as the caller's session lasts: a suspension or logout also ends an export that is running.
 * @throws AppError unauthenticated, at the first page after its end
 */
async function* whileSignedIn<Row>(
  c: Context<AppEnv>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for await (const rows of pages) {
    await requireOpenSession(c.get('services').auth, actorOf(c));
    yield rows;
  }
}

/**
 * Turns rows that arrive page by page into a file of `format`.
 * @param read begins to read the rows: a workbook does so only when it is its turn, because those that wait would keep
 *   theirs in memory
 */
export async function toSpreadsheet<Row>(
  c: Context<AppEnv>,
  format: ExportFormat,
  sheet: string,
  columns: readonly SpreadsheetColumn<Row>[],
  read: () => Promise<AsyncIterable<readonly Row[]>>,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>> {
  return format === 'csv'
    ? streamCsv(c.get('log'), columns, await read())
    : inTurn(async () => {
        // Nobody receives this answer: others wait for a workbook that somebody still wants.
        if (c.req.raw.signal.aborted) return new Uint8Array();
        return toXlsx(sheet, columns, await read());
      });
}

/**
 * Answers with rows as a file of `format`, as long as the caller's session lasts.
 * @param sheet its name, which with its day also names the file, and its columns
 * @param read as for `toSpreadsheet`
 * @throws AppError too_many_requests when the caller has exported too often
 */
export async function answerSpreadsheet<Row>(
  c: Context<AppEnv>,
  format: ExportFormat,
  sheet: { name: string; day: CalendarDate; columns: readonly SpreadsheetColumn<Row>[] },
  read: () => Promise<AsyncIterable<readonly Row[]>>,
): Promise<Response> {
  await limitRate(c, { key: `export:${actorOf(c).userId}`, points: EXPORTS_PER_HOUR, seconds: 3600 });
  const content = await toSpreadsheet(c, format, sheet.name, sheet.columns, async () =>
    whileSignedIn(c, await read()),
  );
  const fileName = `${sheet.name.toLowerCase()}-${sheet.day}.${format}`;
  return c.body(content, 200, {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Disposition': contentDisposition('attachment', fileName),
  });
}
