import { describe, expect, test } from 'vitest';
import { MAX_IMPORT_ROWS } from '#contract/employees.ts';
import { readCrewList } from './crew-list.ts';

const names = (text: string) =>
  readCrewList(text).rows.map(({ values }) => `${values.name} ${values.surname}`);

describe('a crew list', () => {
  test('is read with semicolons, commas or tabs, with headings in any order', () => {
    expect(names('Cognome;Nome;Ruolo\nRossi;Mario;Tecnico')).toEqual(['Mario Rossi']);
    expect(names('nome,cognome\nMario,"De Rossi, junior"')).toEqual(['Mario De Rossi, junior']);
    expect(names('Mario\tRossi\tTecnico\nAnna\tNeri\tIngegnere')).toEqual(['Mario Rossi', 'Anna Neri']);
  });

  test('takes a role without case and accents, and none as not specified', () => {
    const { rows } = readCrewList('Nome;Cognome;Ruolo;Telefono\nA;B;CAPOCANTIERE;333\nC;D;;');
    expect(rows.map(({ input }) => input)).toMatchObject([
      { role: 'Capocantiere', phone: '333', email: null },
      { role: 'Non specificato', phone: null },
    ]);
  });

  test('names what is wrong on each line, and counts lines as the list does', () => {
    const { rows } = readCrewList('Nome;Cognome;Ruolo;Email\nMario;;Mago;x@\n\nAnna;Neri;Tecnico;a@b.it');
    expect(
      rows.map(({ line, errors, input }) => [line, Object.keys(errors).sort(), input !== undefined]),
    ).toEqual([
      [2, ['email', 'role', 'surname'], false],
      [3, [], true],
    ]);
  });

  test('marks the second of two equal names', () => {
    const { rows } = readCrewList('Nome;Cognome\nNicolò;Re\nnicolo;RE');
    expect(rows.map(({ repeated }) => repeated)).toEqual([false, true]);
  });

  test('says what is wrong with the list as a whole', () => {
    expect(readCrewList('  ')).toEqual({ rows: [], problem: null });
    expect(readCrewList('Nome;Ruolo\nMario;Tecnico').problem).toContain('Cognome');
    expect(readCrewList('Nome;Cognome').problem).toContain('intestazione');
    expect(readCrewList('A;B\n'.repeat(MAX_IMPORT_ROWS + 1)).problem).toContain('al massimo');
  });
});
