import Papa from 'papaparse';
import { UNREADABLE_FILE } from '#client/lib/chosen-file.ts';
import { firstMessages } from '#client/lib/form-errors.ts';
import {
  EMPLOYEE_DEFAULTS,
  EMPLOYEE_ROLES,
  type EmployeeInput,
  employeeInputSchema,
  fullName,
  MAX_IMPORT_ROWS,
  type NewMember,
} from '#contract/employees.ts';
import { figure } from '#contract/figures.ts';
import { foldText } from '#contract/lists.ts';
import { oneLine } from '#contract/validation.ts';
import { EMPLOYEE_LABELS } from './words.ts';

type Field = keyof typeof EMPLOYEE_LABELS;
/** What a column holds: a field, or name and surname in one, as they are stored. */
type Content = Field | 'wholeName';
/** The columns of a list without headings, in this order. */
const FIELDS = Object.keys(EMPLOYEE_LABELS) as Field[];

/** Accepted headings of each column, without case, accents, and marks around them: `Nome *`, `TEL.:`. */
const HEADINGS: Record<Field, readonly string[]> = {
  name: ['nome', 'name'],
  surname: ['cognome', 'surname'],
  role: ['ruolo', 'mansione', 'qualifica', 'role'],
  department: ['reparto', 'dipartimento', 'department'],
  email: ['email', 'e-mail', 'mail', 'posta'],
  phone: ['telefono', 'cellulare', 'tel', 'phone'],
};

/** The same for a column of whole names, as in an exported team. Not of those that may begin with the surname. */
const WHOLE_NAME_HEADINGS: readonly string[] = ['nome e cognome', 'nome cognome'];

/** One person of a crew list: the values read, and the errors in them. */
export type CrewRow = {
  /** Line number in the list, from 1, headings included. */
  line: number;
  values: Record<Field, string>;
  /** Name and surname as they would be stored. */
  fullName: string;
  /** Input for the API; undefined when something is invalid. */
  input: EmployeeInput | undefined;
  /** Field → message. */
  errors: Record<string, string>;
  /** Whether the same name is on an earlier line: reported, but allowed. */
  repeated: boolean;
  /** Whether the product does not have its role. */
  unknownRole: boolean;
};

/** A crew list read from CSV or a pasted table. `problem` is an error of the list as a whole. */
export type CrewList = { rows: CrewRow[]; problem: string | null };

/**
 * The text of a spreadsheet's file: UTF-8, UTF-16 with a byte order mark, or Windows-1252 as Italian Excel saves CSV.
 * Rejects when the browser cannot read it.
 * @returns null when the file is not text
 */
async function textOfList(file: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const MARKS_AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;

/** No heading is as long, and searching the end of a long cell for marks takes the square of its length. */
const MAX_HEADING = 200;

const headingOf = (cell: string) =>
  cell.length > MAX_HEADING ? '' : foldText(cell).replace(MARKS_AROUND, '');

function columnOf(cell: string): Content | undefined {
  const heading = headingOf(cell);
  if (WHOLE_NAME_HEADINGS.includes(heading)) return 'wholeName';
  return FIELDS.find((field) => HEADINGS[field].includes(heading));
}

type Columns = readonly (Content | undefined)[];

const haveBothNames = (columns: Columns) => columns.includes('name') && columns.includes('surname');

/** Whether the columns say what everybody is called. */
const haveNames = (columns: Columns) => columns.includes('wholeName') || haveBothNames(columns);

/** The line that tells Excel the separator of a CSV; spreadsheets do not show it. */
const SEPARATOR_LINE = /^\uFEFF?sep=(.)\n/i;
const BROKEN_QUOTES = 'Le virgolette non si aprono e chiudono a coppie: correggile, o toglile.';
const NO_NAMES = 'Servono le colonne Nome e Cognome, o una sola: «Nome e cognome».';
const MISPLACED_HEADINGS = 'Sembra un’intestazione: va in cima all’elenco, una volta sola';

const isFilled = (cell: string) => cell.trim() !== '';

type Line = { cells: readonly string[] };

/** Letters, and the marks within names. */
const NAME = /^[\p{L}\p{M}\s.'’-]+$/u;

/** Whether each line is a name and nothing else, and some are of several words. */
function areWholeNames(lines: readonly Line[]): boolean {
  const names = lines.map(({ cells: [name = '', ...others] }) => (others.some(isFilled) ? '' : name.trim()));
  return names.every((name) => NAME.test(name)) && names.some((name) => /\s/.test(name));
}

/**
 * What each column holds: by the headings if there are any, otherwise in the order of `FIELDS`, unless there are only names.
 * One heading is enough: after `Nominativo; Qualifica`, a role would be read as a surname.
 */
function columnsOf(lines: readonly Line[]): { columns: Columns; headed: boolean } {
  const first = lines[0]?.cells ?? [];
  const named = first.map(columnOf);
  // Posta is also a surname.
  const headed = first.some((cell, index) => named[index] && headingOf(cell) !== 'posta');
  if (headed) return { columns: named, headed };
  return { columns: areWholeNames(lines) ? ['wholeName'] : FIELDS, headed };
}

/** Whether a row has the headings of all that is mandatory. */
const isHeadings = (cells: readonly string[]) => haveNames(cells.map(columnOf));

/** Ten times as many lines as people: with more, the page would stand still while blank ones are read. */
const MAX_LINES = 10 * MAX_IMPORT_ROWS;
/** What the lines of a spreadsheet's blank rows consist of. */
const BLANK = ' \t\r\n;,|';

/** `text` without the blank lines at its end, of which a spreadsheet may save a million. */
function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && BLANK.includes(text.charAt(end - 1))) end -= 1;
  const rest = text.slice(end);
  return text.slice(0, end + (/^[^\r\n]*/.exec(rest)?.[0].length ?? 0));
}

/** Why a list has too many lines to be read, blank ones included; null when it has not. */
function tooManyLines(text: string): string | null {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines <= MAX_LINES
    ? null
    : `L’elenco ha ${figure(lines)} righe, contando quelle vuote: toglile, e importa al massimo ${figure(MAX_IMPORT_ROWS)} persone alla volta.`;
}

const NO_LIST = 'Questo file non è un elenco: dal foglio di calcolo salvalo come CSV, poi caricalo.';
const EMPTY_FILE = 'Questo file è vuoto: nell’elenco resta quello che c’era.';
/** Several times as much as the longest list: with more, the page would stand still while it is read. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const TOO_LARGE = `Questo file è troppo grande per un elenco: al massimo ${figure(MAX_IMPORT_ROWS)} righe, fino a 5 MB.`;

/** The list in a spreadsheet's file, or why there is none. */
export async function listIn(file: Blob): Promise<{ list: string } | { refusal: string }> {
  if (file.size > MAX_FILE_BYTES) return { refusal: TOO_LARGE };
  try {
    const text = await textOfList(file);
    if (text === null) return { refusal: NO_LIST };
    // In the field, a million blank lines would take seconds to lay out.
    const list = withoutBlankEnd(text);
    if (list.trim() === '') return { refusal: EMPTY_FILE };
    const refusal = tooManyLines(list);
    return refusal === null ? { list } : { refusal };
  } catch {
    return { refusal: UNREADABLE_FILE };
  }
}

/** `rows` without a title above the headings: its lines have one filled cell each, so nobody can be on them. */
function withoutTitle<Row extends Line>(rows: readonly Row[]): readonly Row[] {
  const start = rows.findIndex(({ cells }) => cells.filter(isFilled).length > 1);
  return start > 0 && isHeadings(rows[start]?.cells ?? []) ? rows.slice(start) : rows;
}

const lettersOf = (text: string) => foldText(text).replace(/\P{L}/gu, '');

/**
 * A role as the product spells it, also for 'Capo cantiere'; undefined if it has none like that. Blank is 'Non specificato'.
 */
function roleOf(text: string): string | undefined {
  if (text === '') return EMPLOYEE_DEFAULTS.role;
  const letters = lettersOf(text);
  return [EMPLOYEE_DEFAULTS.role, ...EMPLOYEE_ROLES].find((role) => lettersOf(role) === letters);
}

/** Before text that a spreadsheet would take for a formula, as a phone number with its '+', programs write an apostrophe. */
const NO_FORMULA = /^'(?=[=+@-])/;

/** A whole name in the two parts that are asked for. Which is which does not matter: they are stored as one. */
function partsOf(whole: string): { name: string; surname: string } {
  const [name = '', ...surname] = whole.split(' ');
  return { name, surname: surname.join(' ') };
}

/** The messages of the invalid cells of a row; one about a length names its column. */
function wrongCells({ error }: ReturnType<typeof employeeInputSchema.safeParse>) {
  const issues = (error?.issues ?? []).map(({ code, path, message }) => ({
    path,
    message: code === 'too_big' ? `${EMPLOYEE_LABELS[path[0] as Field]}: ${message.toLowerCase()}` : message,
  }));
  return firstMessages({ error: { issues } });
}

/** The marks that columns are separated by, the one least likely within a cell first. */
const SEPARATORS = ['\t', ';', '|', ','];
/** How much of a list decides on its separator. */
const BEGINNING = { characters: 50_000, lines: 10 };

/**
 * The separator of a list: the one that sets most headings apart. Without headings, the one that comes first in most
 * lines, because the names do, and other marks may be in cells after them. Not the parser's guess: a row with one cell
 * filled makes it take commas.
 */
function separatorOf(list: string): string | undefined {
  const unquoted = list.slice(0, BEGINNING.characters).replace(/"[^"]*"/g, '');
  const lines = unquoted.split('\n').filter(isFilled).slice(0, BEGINNING.lines);
  const headingsIn = (cells: readonly string[]) => (cells.length > 1 ? cells.filter(columnOf).length : 0);
  const found = SEPARATORS.map((separator) => ({
    separator,
    headings: Math.max(0, ...lines.map((line) => headingsIn(line.split(separator)))),
    lines: lines.filter((line) => /[\t;|,]/.exec(line)?.[0] === separator).length,
  }));
  const [likeliest] = found.sort((a, b) => b.headings - a.headings || b.lines - a.lines);
  return likeliest?.separator;
}

/**
 * Parses a crew list: CSV with commas or semicolons, or rows copied from a spreadsheet. Columns are identified by their
 * headings (Nome, Cognome, Ruolo, Reparto, Email, Telefono) or, without headings, by that order. A list may also have whole
 * names: in a column 'Nome e cognome', or nothing else. Imports nothing.
 * @param options.anyRole whether people with a role that the product does not have are valid, without one
 */
export function readCrewList(text: string, { anyRole = false } = {}): CrewList {
  // With mixed line endings, the parser would join lines that end differently from most.
  const all = withoutBlankEnd(text).replace(/\r\n?/g, '\n');
  const tooMany = tooManyLines(all);
  if (tooMany) return { rows: [], problem: tooMany };
  const [told = '', separator] = SEPARATOR_LINE.exec(all) ?? [];
  const list = all.slice(told.length);
  // Without a line end, the parser would not accept a space after the last closing quotation mark.
  const { data, errors } = Papa.parse<string[]>(`${list}\n`, { delimiter: separator ?? separatorOf(list) });
  // An unclosed quotation mark turns all that follows into one cell: people would be lost inside a valid name.
  const broken = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => row));
  // Here blank lines count, so that each row has the line number that people see.
  const filled = withoutTitle(
    data
      .map((cells, index) => ({ cells, line: index + (told ? 2 : 1), broken: broken.has(index) }))
      .filter(({ cells }) => cells.some(isFilled)),
  );
  const [first] = filled;
  if (!first) return { rows: [], problem: null };
  const { columns, headed } = columnsOf(filled);
  if (headed && first.broken) return { rows: [], problem: BROKEN_QUOTES };
  if (!haveNames(columns)) return { rows: [], problem: NO_NAMES };
  const body = headed ? filled.slice(1) : filled;
  if (body.length === 0) return { rows: [], problem: 'L’elenco ha solo l’intestazione.' };
  if (body.length > MAX_IMPORT_ROWS) {
    return {
      rows: [],
      problem: `L’elenco ha ${figure(body.length)} righe: al massimo ${figure(MAX_IMPORT_ROWS)} alla volta.`,
    };
  }
  const seen = new Set<string>();
  const rows = body.map(({ cells, line, broken: isBroken }): CrewRow => {
    // Of several columns for one field, such as 'Telefono' and 'Cellulare', the first filled one counts.
    const cell = (content: Content) =>
      oneLine(cells.find((text, column) => columns[column] === content && isFilled(text)) ?? '').replace(
        NO_FORMULA,
        '',
      );
    const names = haveBothNames(columns)
      ? { name: cell('name'), surname: cell('surname') }
      : partsOf(cell('wholeName'));
    const role = roleOf(cell('role'));
    const values = {
      ...names,
      role: role ?? cell('role'),
      department: cell('department'),
      email: cell('email'),
      phone: cell('phone'),
    };
    const judged = employeeInputSchema.safeParse({
      ...values,
      ...(anyRole && { role: role ?? EMPLOYEE_DEFAULTS.role }),
    });
    const misplaced = isHeadings(cells);
    const whole = fullName(values.name, values.surname);
    const repeated = seen.has(foldText(whole));
    seen.add(foldText(whole));
    return {
      line,
      values,
      fullName: whole,
      input: judged.success && !isBroken && !misplaced ? judged.data : undefined,
      errors: isBroken
        ? { quotes: BROKEN_QUOTES }
        : misplaced
          ? { headings: MISPLACED_HEADINGS }
          : wrongCells(judged),
      repeated,
      unknownRole: role === undefined,
    };
  });
  return { rows, problem: null };
}

/** The people of a list as new members of a project. A role that is none of the product's is left blank, to be chosen. */
export function membersOf(rows: readonly CrewRow[]): NewMember[] {
  return rows.map(({ values: { name, surname, role } }) => ({
    name,
    surname,
    role: EMPLOYEE_ROLES.find((known) => known === role) ?? '',
  }));
}
