import { provider } from '#provider';

/** A titled part of a report: labelled values or a text. */
export type ReportSection = {
  title: string;
  content: readonly (readonly [label: string, value: string])[] | string;
};

/** The content of a message, from which its plain text (spec §7) and its HTML are generated. */
export type Report = {
  /** If not Italian. */
  lang?: 'en';
  title: string;
  /** A sentence or two before the sections. */
  intro?: string;
  sections: readonly ReportSection[];
  /** To be typed in elsewhere: stands on a line of its own, and large in HTML. */
  code?: string;
  /** The page to continue on. */
  link?: { label: string; url: string };
  /** What to know about the code or the link. */
  note?: string;
  footer: string;
};

function lines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

function sectionToText({ title, content }: ReportSection): string {
  const body =
    typeof content === 'string'
      ? lines(content).join('\n')
      : content.map(([label, value]) => `- ${label}: ${lines(value).join('\n  ')}`).join('\n');
  return `${title.toUpperCase()}\n${body}`;
}

/** The plain text: title, sections with their titles in capitals, footer; lines end with \n. */
function toText({ title, intro, sections, code, link, note, footer }: Report): string {
  return [
    title.toUpperCase(),
    ...(intro ? [intro] : []),
    ...sections.map(sectionToText),
    ...(code ? [code] : []),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...(note ? [note] : []),
    `--\n${footer}\n`,
  ].join('\n\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** An address too long for its line breaks after the @ rather than anywhere. */
function paragraph(text: string): string {
  return lines(text)
    .map((line) => escapeHtml(line).replaceAll('@', '@<wbr>'))
    .join('<br>');
}

const FONT = "font-family:'Segoe UI',Helvetica,Arial,sans-serif";

function textToHtml(text: string, margin: string): string {
  return `<p style="margin:${margin};${FONT};font-size:16px;line-height:1.55;color:#13252b">${paragraph(text)}</p>`;
}

function sectionToHtml({ title, content }: ReportSection): string {
  const heading = `<h2 style="margin:28px 0 8px;${FONT};font-size:13px;letter-spacing:.06em;text-transform:uppercase;color:#a83c00">${escapeHtml(title)}</h2>`;
  if (typeof content === 'string') {
    return heading + textToHtml(content, '0');
  }
  const rows = content
    .map(
      ([label, value]) =>
        `<tr><th scope="row" align="left" valign="top" width="42%" style="padding:8px 16px 8px 0;border-top:1px solid #e2d8c7;${FONT};font-size:15px;font-weight:400;line-height:1.4;color:#465a61">${escapeHtml(label)}</th><td valign="top" style="padding:8px 0;border-top:1px solid #e2d8c7;${FONT};font-size:15px;line-height:1.4;color:#13252b">${paragraph(value)}</td></tr>`,
    )
    .join('');
  return `${heading}<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">${rows}</table>`;
}

/** The HTML of the same content, with tables and inline styles only, which all mail clients render alike. */
function toHtml({ lang, title, intro, sections, code, link, note, footer }: Report): string {
  return [
    `<!doctype html><html lang="${lang ?? 'it'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escapeHtml(title)}</title></head>`,
    '<body style="margin:0;padding:24px 12px;background:#f6efe3">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px">',
    `<tr><td style="padding:16px 28px;background:#0a4350;border-radius:12px 12px 0 0;${FONT};font-size:18px;font-weight:700;color:#fffaf0">${escapeHtml(provider.name)}</td></tr>`,
    // A long address breaks where it must: on a phone the whole mail would otherwise be as wide as it.
    '<tr><td style="padding:28px;background:#ffffff;border-radius:0 0 12px 12px;word-break:break-word">',
    `<h1 style="margin:0;${FONT};font-size:24px;line-height:1.2;color:#13252b">${escapeHtml(title)}</h1>`,
    intro ? textToHtml(intro, '16px 0 0') : '',
    ...sections.map(sectionToHtml),
    code
      ? `<p style="margin:24px 0 0;${FONT};font-size:32px;font-weight:700;line-height:1.2;letter-spacing:.16em;color:#13252b">${escapeHtml(code)}</p>`
      : '',
    link
      ? `<p style="margin:28px 0 0"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;background:#0a4f5d;border-radius:6px;${FONT};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(link.label)}</a></p>`
      : '',
    note ? textToHtml(note, '24px 0 0') : '',
    `<p style="margin:28px 0 0;padding-top:16px;border-top:1px solid #e2d8c7;${FONT};font-size:13px;line-height:1.5;color:#465a61">${paragraph(footer)}</p>`,
    '</td></tr></table></td></tr></table></body></html>\n',
  ].join('');
}

/** The plain text and HTML of a report. */
export function reportBodies(report: Report): { text: string; html: string } {
  return { text: toText(report), html: toHtml(report) };
}
