import { describe, expect, test } from 'vitest';
import { MAX_IMPORT_ROWS } from '#contract/employees.ts';
import { listIn, readCrewList } from './crew-list.ts';

const names = (text: string) =>
  readCrewList(text).rows.map(({ values }) => `${values.name} ${values.surname}`);

describe('a crew list', () => {
  test('is read with semicolons, commas or tabs, with headings in any order', () => {
    expect(names('Cognome;Nome;Ruolo\nRossi;Mario;Tecnico')).toEqual(['Mario Rossi']);
    expect(names('nome,cognome\nMario,"De Rossi, junior"')).toEqual(['Mario De Rossi, junior']);
    expect(names('Mario\tRossi\tTecnico\nAnna\tNeri\tIngegnere')).toEqual(['Mario Rossi', 'Anna Neri']);
  });

  test('has headings with marks around them', () => {
    const { rows } = readCrewList('N°;Cognome *;Nome *;Tel.:\n1;Rossi;Mario;333');
    expect(rows).toMatchObject([{ line: 2, fullName: 'Mario Rossi', values: { phone: '333' } }]);
  });

  test('has no cell so long that the page would search it for a heading for minutes', () => {
    const { rows } = readCrewList(`Nome;Cognome;Note\nMario;Rossi;a${'*'.repeat(600_000)}a`);
    expect(rows.map(({ fullName }) => fullName)).toEqual(['Mario Rossi']);
  });

  test('may have a title above the headings, as in merged cells', () => {
    const { rows, problem } = readCrewList(
      'Elenco del personale;;\n;;\nCognome;Nome;Ruolo\nRossi;Mario;Tecnico',
    );
    expect(problem).toBeNull();
    expect(rows.map(({ line, fullName }) => [line, fullName])).toEqual([[4, 'Mario Rossi']]);
    // Without headings below it, it may be somebody whose surname is missing.
    expect(readCrewList('Mario;\nAnna;Neri').rows.map(({ input }) => input !== undefined)).toEqual([
      false,
      true,
    ]);
  });

  test('does not take headings below the first line for a person', () => {
    for (const above of ['Cantiere;Priolo', 'Nome;Cognome\nAnna;Neri']) {
      const { rows } = readCrewList(`${above}\nCognome;Nome\nRossi;Mario`);
      expect(rows.map(({ input, errors }) => [input !== undefined, Object.keys(errors)])).toEqual([
        [true, []],
        [false, ['headings']],
        [true, []],
      ]);
    }
  });

  test('reads the first filled one of several columns for the same field', () => {
    const { rows } = readCrewList('Nome;Cognome;Telefono;Cellulare\nMario;Rossi;;333\nAnna;Neri;02;334');
    expect(rows.map(({ values }) => values.phone)).toEqual(['333', '02']);
  });

  test('matches roles without case and accents, and reads an empty one as not specified', () => {
    const { rows } = readCrewList('Nome;Cognome;Ruolo;Telefono\nA;B;CAPOCANTIERE;333\nC;D;;');
    expect(rows.map(({ input }) => input)).toMatchObject([
      { role: 'Capocantiere', phone: '333', email: null },
      { role: 'Non specificato', phone: null },
    ]);
  });

  test('reports the errors of each line under its line number', () => {
    const { rows } = readCrewList('Nome;Cognome;Ruolo;Email\nMario;;Mago;x@\n\nAnna;Neri;Tecnico;a@b.it');
    expect(
      rows.map(({ line, errors, input }) => [line, Object.keys(errors).sort(), input !== undefined]),
    ).toEqual([
      [2, ['email', 'role', 'surname'], false],
      [4, [], true],
    ]);
  });

  test('says which cell is too long', () => {
    const { rows } = readCrewList(
      `Anna;Neri;Tecnico;;;${'3'.repeat(41)}\n${'A'.repeat(80)};${'B'.repeat(81)}`,
    );
    expect(rows.map(({ errors }) => Object.values(errors))).toEqual([
      ['Telefono: al massimo 40 caratteri'],
      ['Nome: al massimo 79 caratteri', 'Cognome: al massimo 80 caratteri'],
    ]);
  });

  test('may end in as many blank rows as a spreadsheet has', () => {
    for (const blank of ['\n', ';;;;;\r\n']) {
      const { rows, problem } = readCrewList(`Mario;Rossi;Tecnico;;;\n${blank.repeat(700_000)}`);
      expect([problem, rows.map(({ fullName }) => fullName)]).toEqual([null, ['Mario Rossi']]);
    }
  });

  test('is not read with a million blank lines in it', () => {
    const { rows, problem } = readCrewList(`Mario;Rossi\n${'\n'.repeat(1_000_000)}Anna;Neri`);
    expect(rows).toEqual([]);
    expect(problem).toBe(
      'L’elenco ha 1.000.002 righe, contando quelle vuote: toglile, e importa al massimo 2.000 persone alla volta.',
    );
  });

  test('may have blank lines anywhere', () => {
    const { rows, problem } = readCrewList('\n\nNome;Cognome\n\n \nMario;Rossi\n;\nAnna;Neri\n\n');
    expect(problem).toBeNull();
    expect(rows.map(({ line, fullName }) => [line, fullName])).toEqual([
      [6, 'Mario Rossi'],
      [8, 'Anna Neri'],
    ]);
  });

  test('is split into lines at any line ending', () => {
    expect(names('Nome;Cognome\r\nMario;Rossi\nAnna;Neri\rUgo;Bassi\r\n')).toEqual([
      'Mario Rossi',
      'Anna Neri',
      'Ugo Bassi',
    ]);
  });

  test('reports an unclosed quotation mark instead of swallowing the lines after it', () => {
    const { rows } = readCrewList('Nome;Cognome\nUgo;Bassi\nMario;"Rossi\nAda;Neri\nLuca;Verdi');
    expect(rows.map(({ line, input, errors }) => [line, input !== undefined, Object.keys(errors)])).toEqual([
      [2, true, []],
      [3, false, ['quotes']],
    ]);
    expect(readCrewList('Nome;Cognome;"Note\nMario;Rossi;x\nAda;Neri;"y"').problem).toContain('virgolette');
    expect(names('Nome;Cognome\nMario;"De ""Re"""')).toEqual(['Mario De "Re"']);
  });

  test('may begin with the separator line of Excel', () => {
    const { rows } = readCrewList('sep=;\r\nNome;Cognome\r\nMario;"Rossi, junior"');
    expect(rows.map(({ line, fullName }) => [line, fullName])).toEqual([[3, 'Mario Rossi, junior']]);
  });

  test('has names as they are stored, without invisible characters', () => {
    const { rows } = readCrewList('Nome;Cognome;Ruolo\nMario\u200b;\ufeffDe  Rossi ;Tecnico\u200b');
    expect(rows).toMatchObject([{ fullName: 'Mario De Rossi', input: { role: 'Tecnico' } }]);
  });

  test('marks the second of two equal names', () => {
    const { rows } = readCrewList('Nome;Cognome\nNicolò;Re\nnicolo;RE');
    expect(rows.map(({ repeated }) => repeated)).toEqual([false, true]);
  });

  test('reports problems of the list as a whole', () => {
    expect(readCrewList('  ')).toEqual({ rows: [], problem: null });
    expect(readCrewList('Nome;Ruolo\nMario;Tecnico').problem).toContain('Cognome');
    // A name in one column: the role beside it would pass for the surname, and the headings for a person.
    for (const headings of ['Nominativo;Qualifica', 'Nome e cognome;Ruolo', 'Dipendente;Cellulare'])
      expect(readCrewList(`${headings}\nMario Rossi;Tecnico`)).toEqual({
        rows: [],
        problem: 'Servono le colonne Nome e Cognome.',
      });
    expect(names('Mario;Posta;Tecnico')).toEqual(['Mario Posta']);
    expect(readCrewList('Nome;Cognome').problem).toContain('intestazione');
    expect(readCrewList('A;B\n'.repeat(MAX_IMPORT_ROWS + 1)).problem).toContain('al massimo');
  });
});

describe('a spreadsheet file', () => {
  const list = 'Nome;Cognome;Reparto\nNicolò;D’Alì;Qualità';
  const bytesOf = (text: string, size: 1 | 2) =>
    Uint8Array.from(
      [...text].flatMap((letter) => {
        const code = letter.charCodeAt(0);
        return size === 1 ? [code === 0x2019 ? 0x92 : code] : [code & 0xff, code >> 8];
      }),
    );

  test('is read whether it was saved as UTF-8, UTF-16 or by an Italian Excel', async () => {
    expect(await listIn(new Blob([`\uFEFF${list}`]))).toEqual({ list });
    expect(await listIn(new Blob([bytesOf(`\uFEFF${list}`, 2)]))).toEqual({ list });
    expect(await listIn(new Blob([bytesOf(list, 1)]))).toEqual({ list });
  });

  test('is read without the blank rows at its end', async () => {
    expect(await listIn(new Blob([`${list}\n${';;;\n'.repeat(700_000)}`]))).toEqual({ list });
  });

  test('is refused if it is not text, is empty, or is longer than any list', async () => {
    const refusalOf = async (...content: BlobPart[]) => Object.values(await listIn(new Blob(content)))[0];
    expect(await refusalOf(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 8, 0))).toContain('non è un elenco');
    expect(await refusalOf(' \n;;\n')).toContain('è vuoto');
    expect(await refusalOf(`A;B${'\n'.repeat(20_000)}A;B`)).toContain('20.001 righe');
    expect(await refusalOf(new Uint8Array(5 * 1024 * 1024 + 1).fill(0x41))).toContain('troppo grande');
  });
});
