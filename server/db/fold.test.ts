import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { Client } from 'pg';
import { describe, expect, inject } from 'vitest';
import { foldText } from '#contract/lists.ts';
import { migrate } from '#server/db/migrate.ts';
import { ROOT } from '#server/root.ts';
import { createEmptyDatabase, makeTestFolder } from '#server/testing/cluster.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

/** Each text as folded by the database's `fold`. */
async function foldedBy(server: TestServer, texts: readonly string[]): Promise<string[]> {
  const { rows } = await server.make.sql<{ folded: string }>(
    'select fold(text) as folded from unnest($1::text[]) with ordinality as asked (text, place) order by place',
    [texts],
  );
  return rows.map(({ folded }) => folded);
}

/** Whether this runtime's Unicode version assigns the character, and it is not a control character. */
const isAssigned = (character: string) => !/\p{C}/u.test(character);

function everyAssigned(): string[] {
  return Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(isAssigned);
}

/** Up to here, every Unicode version that the two sides may have agrees. */
const LAST_SETTLED = 0x1c88;

describe('folded texts', () => {
  test('match what a reader of each language would type', async ({ server }) => {
    const pairs = [
      ['Ionuț Ștefănescu', 'ionut stefanescu'],
      ['Ionuţ Ştefănescu', 'ionut stefanescu'],
      ['Žana Čović Đurić', 'zana covic duric'],
      ['ŁUKASZ ŚWIĘCIŃSKI, Łódź', 'lukasz swiecinski, lodz'],
      ['Søren Bjørnsson, Ålesund', 'soren bjornsson, alesund'],
      ['Weißer GROẞ', 'weisser gross'],
      ['Ægir Þórðarson', 'aegir thordarson'],
      ['Sacré-Cœur', 'sacre-coeur'],
      ['İSTANBUL ısı', 'istanbul isi'],
      ['Nguyễn Văn Đức', 'nguyen van duc'],
      ['ΟΔΥΣΣΕΥΣ Ελλάς', 'οδυσσευσ ελλασ'],
      ['Юрий', 'юрии'],
      ["Niccolò D'Alò", "niccolo d'alo"],
      ['Dell’Àquila D‘Orta Oʼ Dea', "dell'aquila d'orta o' dea"],
    ] as const;
    const texts = pairs.map(([text]) => text);
    const wanted = pairs.map(([, folded]) => folded);
    expect(texts.map(foldText)).toEqual(wanted);
    expect(await foldedBy(server, texts)).toEqual(wanted);
    // Composed or decomposed: macOS and Windows differ.
    expect(
      await foldedBy(
        server,
        texts.map((text) => text.normalize('NFD')),
      ),
    ).toEqual(wanted);
  });

  test('are the same in TypeScript and SQL, and folding them again changes nothing', async ({ server }) => {
    const characters = everyAssigned();
    const folded = await foldedBy(server, characters);
    // Unicode versions differ only in capitals that the newer one added, none of them in an alphabet in use.
    const unsettled = new Set(characters.filter((character, index) => foldText(character) !== folded[index]));
    expect([...unsettled].filter((character) => (character.codePointAt(0) ?? 0) <= LAST_SETTLED)).toEqual([]);
    expect(unsettled.size).toBeLessThan(500);

    const accented = fc.stringMatching(/^([A-Za-zÀ-ɏḀ-ỿΑ-ωЀ-ӿ' ]|[\u0300-\u036f]){0,12}$/u);
    const anything = fc.string({ unit: 'binary', maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(accented, anything), { minLength: 1, maxLength: 30 }),
        async (generated) => {
          const texts = generated.map((text) =>
            [...text].filter((character) => isAssigned(character) && !unsettled.has(character)).join(''),
          );
          const wanted = texts.map(foldText);
          expect(await foldedBy(server, texts)).toEqual(wanted);
          expect(await foldedBy(server, wanted)).toEqual(wanted);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('records from before folding was introduced', () => {
  test('are found without accents and by any apostrophe after the migration', async ({ onTestFinished }) => {
    const migrations = join(ROOT, 'server/db/migrations');
    const folder = await makeTestFolder();
    const database = await createEmptyDatabase(inject('testCluster'));
    const client = new Client({ connectionString: database.databaseUrl });
    onTestFinished(async () => {
      await client.end();
      await database.drop();
      await rm(folder, { recursive: true });
    });
    const earlier = (await readdir(migrations)).filter((file) => file < '0130');
    for (const file of earlier) await copyFile(join(migrations, file), join(folder, file));
    await migrate(database.databaseUrl, { folder });
    await client.connect();
    await client.query(`
      insert into profiles (id, email, username, full_name) values
        ('a', 'a@example.com', 'a', 'Ștefan'), ('b', 'b@example.com', 'b', 'Stela'),
        ('c', 'c@example.com', 'c', 'D’Amico');
      insert into invoices (user_id, invoice_number, project_name, amount, issue_date)
        select 'a', 'FAT' || lpad(n::text, 13, '0') || 'ABCDEFGH', (array['Iași', 'Iasolo', 'L’Aquila'])[n], n, '2026-01-01' from generate_series(1, 3) n;
      insert into trip_requests (user_id, city, position, start_date, end_date, project_name, reason, people,
          accommodation, rooms_single, rooms_double, rooms_suite, breakfast, laundry, parking, kitchen, budget, priority,
          phone, email)
        values ('a', 'Bacău, Sant’Elia', 'x', '2026-01-01', '2026-01-02', 'x', 'x', 1, 'hotel', 0, 0, 0, 'necessario', 'necessario',
          'necessario', 'necessario', 1, 'costo', '1', 'a@example.com');`);
    const touched = 'select id, version, updated_at from invoices order by id';
    const before = await client.query(touched);

    await migrate(database.databaseUrl);

    await client.query('set enable_seqscan = off');
    const { rows } = await client.query(`
      select
        (select json_agg(project_name) from invoices where search_text like '%iasi%') as invoices,
        (select json_agg(full_name) from profiles where search_text like '%stefan%') as profiles,
        (select json_agg(city) from trip_requests where search_text like '%bacau, sant''elia%') as requests,
        (select json_agg(project_name) from invoices where search_text like '%l''aquila%') as apostrophes,
        (select json_agg(project_name) from invoices where fold(project_name) = 'iasi') as by_project,
        (select json_agg(full_name) from profiles
          where fold(full_name) || E'\\t' || id in (E'stefan\\ta', E'd''amico\\tc')) as by_name,
        (select json_agg(subject) from total_mismatches) as mismatches`);
    expect(rows).toEqual([
      {
        invoices: ['Iași'],
        profiles: ['Ștefan'],
        requests: ['Bacău, Sant’Elia'],
        apostrophes: ['L’Aquila'],
        by_project: ['Iași'],
        by_name: ['D’Amico', 'Ștefan'],
        mismatches: null,
      },
    ]);
    expect((await client.query(touched)).rows).toEqual(before.rows);
  });
});
