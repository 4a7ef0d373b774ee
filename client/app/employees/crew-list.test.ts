import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { EMPLOYEE_DEFAULTS, EMPLOYEE_ROLES, MAX_IMPORT_ROWS } from '#contract/employees.ts';
import { oneLine } from '#contract/validation.ts';
import { listIn, readCrewList } from './crew-list.ts';

const names = (text: string) =>
  readCrewList(text).rows.map(({ values }) => `${values.name} ${values.surname}`);

describe('a crew list', () => {
  test('is read with semicolons, commas or tabs, with headings in any order', () => {
    expect(names('Cognome;Nome;Ruolo\nRossi;Mario;Tecnico')).toEqual(['Mario Rossi']);
    expect(names('nome,cognome\nMario,"De Rossi, junior"')).toEqual(['Mario De Rossi, junior']);
    expect(names('Mario\tRossi\tTecnico\nAnna\tNeri\tIngegnere')).toEqual(['Mario Rossi', 'Anna Neri']);
  });

  test('may have rows with the name alone', () => {
    for (const separator of [';', '\t', '|', ','])
      expect(
        readCrewList(['Nome;Cognome', 'Mario;Rossi', 'Ugo;'].join('\n').replaceAll(';', separator)).rows,
      ).toMatchObject([
        { fullName: 'Mario Rossi', errors: {} },
        { values: { name: 'Ugo', surname: '' }, errors: { surname: 'Il cognome è obbligatorio' } },
      ]);
    expect(names('Nome;Cognome\nMario;Rossi\nUgo')).toEqual(['Mario Rossi', 'Ugo ']);
    expect(names('Mario\tRossi\nUgo\t')).toEqual(['Mario Rossi', 'Ugo ']);
  });

  test('may have in its cells the marks that separate those of other lists', () => {
    expect(names('Mario;Rossi;Tecnico;Montaggi, Nord\nAnna;Neri;Tecnico;Saldatura, Sud;a@x.it')).toEqual([
      'Mario Rossi',
      'Anna Neri',
    ]);
    expect(names('Mario,Rossi,Tecnico,Montaggi; Nord')).toEqual(['Mario Rossi']);
    expect(names('"De Rossi, junior";Mario;Tecnico')).toEqual(['De Rossi, junior Mario']);
    expect(names('Nome,Cognome,Telefono; interno\nMario,Rossi,02; 12')).toEqual(['Mario Rossi']);
  });

  test('is read back, whichever mark separates it and whatever is in its cells', () => {
    const name = fc.constantFrom('Mario', 'De Rossi', 'Nicolò', 'D’Alì', 'Ugo', 'Bassi');
    const cell = fc.oneof(
      // An apostrophe before what would be a formula is not part of the cell, and ‘name’, which is often generated, is a heading.
      fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/^\s*'[=+@-]|name/i.test(text)),
      fc.string({ unit: fc.constantFrom(...';,|\t"\r\n a'), maxLength: 8 }),
    );
    const person = fc
      .tuple(name, name, fc.constantFrom(...EMPLOYEE_ROLES), cell, cell, cell)
      .chain((cells) => fc.integer({ min: 1, max: cells.length }).map((filled) => cells.slice(0, filled)));
    fc.assert(
      fc.property(
        fc.array(person, { minLength: 1, maxLength: 20 }),
        fc.constantFrom('\t', ';', '|', ','),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (people, delimiter, newline, headed) => {
          // Otherwise they are whole names.
          fc.pre(headed || people.some((cells) => cells.length > 1));
          const headings = headed ? [['Nome', 'Cognome', 'Ruolo', 'Reparto', 'Email', 'Telefono']] : [];
          const { rows } = readCrewList(Papa.unparse([...headings, ...people], { delimiter, newline }));
          expect(rows.map(({ values }) => Object.values(values))).toEqual(
            people.map(([first = '', surname = '', role = EMPLOYEE_DEFAULTS.role, ...others]) => [
              first,
              surname,
              role,
              ...[...others, '', '', ''].slice(0, 3).map(oneLine),
            ]),
          );
        },
      ),
      { numRuns: 300 },
    );
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

  test('matches the letters of roles without case and accents, and reads an empty one as not specified', () => {
    const { rows } = readCrewList('Nome;Cognome;Ruolo;Telefono\nA;B;CAPO CANTIERE;333\nC;D;;');
    expect(rows.map(({ input }) => input)).toMatchObject([
      { role: 'Capocantiere', phone: '333', email: null },
      { role: 'Non specificato', phone: null },
    ]);
  });

  test('may be an exported team, with whole names, without a role, and phones that are no formula', () => {
    const exported =
      '\uFEFFNome e cognome;Ruolo;Reparto;Email;Telefono;Stato;Progetto;Località;Dal;Al\r\n' +
      "Anna Maria De Rossi;Non specificato;Montaggi;a@b.it;'+39 333 1234567;disponibile;;;;\r\n";
    const { rows, problem } = readCrewList(exported);
    expect(problem).toBeNull();
    expect(rows).toMatchObject([
      {
        fullName: 'Anna Maria De Rossi',
        input: { role: 'Non specificato', department: 'Montaggi', email: 'a@b.it', phone: '+39 333 1234567' },
      },
    ]);
    // Names in columns of their own are told apart by their headings.
    expect(names('Nome e cognome;Nome;Cognome\nRossi Mario;Mario;Rossi')).toEqual(['Mario Rossi']);
    expect(readCrewList('Squadra;\n;\nNome e cognome;Ruolo\nUgo Bassi;Tecnico').rows).toMatchObject([
      { line: 4, fullName: 'Ugo Bassi' },
    ]);
    expect(readCrewList('Nome e cognome;Ruolo\nUgo;Tecnico').rows).toMatchObject([
      { errors: { surname: 'Il cognome è obbligatorio' } },
    ]);
  });

  test('may consist of names alone, one on each line', () => {
    expect(
      readCrewList('Mario Rossi\n\nNicolò D’Alì\nAnna-Maria De Re').rows.map(({ fullName, input }) => [
        fullName,
        input !== undefined,
      ]),
    ).toEqual([
      ['Mario Rossi', true],
      ['Nicolò D’Alì', true],
      ['Anna-Maria De Re', true],
    ]);
    // With anything else on a line it is unknown what is a name.
    for (const list of ['Mario Rossi 333 1234567\nAnna Neri', 'Mario Rossi;Tecnico\nAnna Neri'])
      expect(readCrewList(list).rows.at(-1)).toMatchObject({
        errors: { surname: 'Il cognome è obbligatorio' },
      });
  });

  test('has people with another role, who are valid without it if that is wanted', () => {
    const list = 'Nome;Cognome;Ruolo\nMario;Rossi;Gruista\nAnna;Neri;tecnico\nUgo;Bassi;';
    const rolesIn = (anyRole: boolean) =>
      readCrewList(list, { anyRole }).rows.map(({ input, unknownRole }) => [input?.role, unknownRole]);
    const others = [
      ['Tecnico', false],
      ['Non specificato', false],
    ];
    expect(rolesIn(false)).toEqual([[undefined, true], ...others]);
    expect(rolesIn(true)).toEqual([['Non specificato', true], ...others]);
    expect(readCrewList(list, { anyRole: true }).rows[0]?.values.role).toBe('Gruista');
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
    expect(names('Nome;Cognome\nMario;"De Re" ')).toEqual(['Mario De Re']);
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
    for (const headings of ['Nominativo;Qualifica', 'Cognome e nome;Ruolo', 'Dipendente;Cellulare'])
      expect(readCrewList(`${headings}\nMario Rossi;Tecnico`)).toEqual({
        rows: [],
        problem: 'Servono le colonne Nome e Cognome, o una sola: «Nome e cognome».',
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
