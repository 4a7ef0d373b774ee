import { sql } from 'drizzle-orm';
import { HITS_PER_KIND, type SearchHit, searchHitSchema } from '#contract/search.ts';
import type { UserId } from '#server/auth/actor.ts';
import { containsFolded } from '#server/db/keyset.ts';
import type { Database } from '#server/db/scope.ts';

/**
 * The records of `owner` that hold `text` in their name, place or number, at most `HITS_PER_KIND` of each kind, those
 * that start with it first. One round trip. Invoices issued after `today` are hidden (spec §5).
 */
export async function search(db: Database, owner: UserId, text: string, today: string): Promise<SearchHit[]> {
  const wanted = sql`(select fold(${text}))`;
  const holds = (column: string) => sql`position(${wanted} in fold(${sql.raw(column)})) > 0`;
  const rank = (column: string) => sql`not starts_with(fold(${sql.raw(column)}), ${wanted})`;
  const { rows } = await db.execute(sql`
    (select 'project' as kind, id::text as id, name as title, location as detail from projects
      where user_id = ${owner} and (${holds('name')} or ${holds('location')})
      order by ${rank('name')}, projects.id desc limit ${HITS_PER_KIND})
    union all
    (select 'employee', id::text, name, role from employees
      where user_id = ${owner} and (${holds('name')} or ${holds('role')})
      order by ${rank('name')}, employees.name, employees.id limit ${HITS_PER_KIND})
    union all
    (select 'invoice', invoice_number, invoice_number, project_name from invoices
      where user_id = ${owner} and issue_date <= ${today}::date and search_text like ${containsFolded(text)}
        and (${holds('invoice_number')} or ${holds('project_name')})
      order by issue_date desc, invoices.id desc limit ${HITS_PER_KIND})
    union all
    (select 'tripRequest', id::text, city, project_name from trip_requests
      where user_id = ${owner} and (${holds('city')} or ${holds('project_name')})
      order by ${rank('city')}, trip_requests.id desc limit ${HITS_PER_KIND})`);
  return rows.map((row) => searchHitSchema.parse(row));
}
