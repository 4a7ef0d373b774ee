import { strFromU8, unzipSync } from 'fflate';

/** The content of a cell: text, a number (also for dates), or nothing. */
type Cell = string | number | null;

const plain = (xml: string) =>
  xml.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
  );

/** Rows and cells of the first sheet of a workbook (XLSX), as a spreadsheet program reads them. */
export function readSheet(workbook: Uint8Array): Cell[][] {
  const files = unzipSync(workbook);
  const part = (name: string) => strFromU8(files[name] ?? new Uint8Array(0));
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, item = '']) =>
    plain([...item.matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, text = '']) => text).join('')),
  );
  const rows = part('xl/worksheets/sheet1.xml').matchAll(/<row[^>]*>(.*?)<\/row>/gs);
  return [...rows].map(([, row = '']) => {
    const cells: Cell[] = [];
    for (const [, attributes = '', content = ''] of row.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const column = /r="([A-Z])\d+"/.exec(attributes)?.[1] ?? 'A';
      while (cells.length < column.charCodeAt(0) - 65) cells.push(null);
      const value = /<v>(.*?)<\/v>/s.exec(content)?.[1];
      const inline = /<t[^>]*>(.*?)<\/t>/s.exec(content)?.[1];
      if (inline !== undefined) cells.push(plain(inline));
      else if (value === undefined) cells.push(null);
      else cells.push(attributes.includes('t="s"') ? (texts[Number(value)] ?? null) : Number(value));
    }
    return cells;
  });
}
