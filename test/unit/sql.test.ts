import { describe, expect, test } from '@jest/globals';
import { allColumns } from '../../src/database/columns.js';
import { projected, Projection } from '../../src/database/projection.js';
import { column, db, insertSelect, sql, statement, statementPerList, table } from '../../src/database/sql.js';
import { selecting } from '../support/callers.js';

const i = table('incident', 'i');

describe('a statement', () => {
  const lock = statement<{ id: number; at: Date }>()((p) =>
    db
      .selectFrom('incident as i')
      .select(['i.title', 'i.aware_at as awareAt'])
      .where('i.id', '=', p('id'))
      .where('i.status', '<>', "it's CLOSED" as 'CLOSED')
      .where((eb) => eb.or([eb('i.created_at', '<', p('at')), eb('i.updated_at', '<', p('at'))])),
  );

  test('has constants in its text and one parameter for each name', () => {
    const at = new Date(0);
    expect(lock.bind({ id: 7, at })).toEqual({
      text:
        'select "i"."title", "i"."aware_at" as "awareAt" from "incident" as "i" where "i"."id" = $1 ' +
        `and "i"."status" <> 'it''s CLOSED' and ("i"."created_at" < $2 or "i"."updated_at" < $2)`,
      values: [7, at],
    });
  });

  test('numbers its parameters anew each time it is compiled', () => {
    const other = statement<{ id: number }>()((p) => sql`select ${p('id')}`);
    expect(other.text).toBe('select $1');
  });

  test('is compiled once for each shape, and once for each list of names', () => {
    const perShape = projected()((_p, { select }) => sql`select ${sql.join(select)}`);
    const projection = new Projection(undefined, { id: i.id, title: i.title });
    const shape = projection.of(selecting('title'));
    expect(perShape(shape)).toBe(perShape(shape));
    expect(perShape(projection.of(selecting())).text).toBe('select "i"."id" as "id"');
    const perList = statementPerList<'a' | 'b'>()((_p, names) => sql`select ${sql.join(names)}`);
    expect(perList(['a', 'b'])).toBe(perList(['a', 'b']));
    expect(perList(['b']).text).toBe(`select 'b'`);
  });

  test('reads the columns of classes above an entity as well', () => {
    expect(Object.keys(allColumns('token_block')).toSorted()).toEqual(['createdAt', 'id', 'organizationId', 'tokenId']);
  });

  test('that inserts what it selects has its columns beside their values', () => {
    const insert = insertSelect('token_block', { token_id: sql`1`, organization_id: i.organization_id });
    expect(statement()(() => sql`${insert} from ${i.table}`).text).toBe(
      'insert into "token_block" ("token_id", "organization_id") select 1, "i"."organization_id" from "incident" as "i"',
    );
  });
});

/** Never called: `npm run check:types` fails if one of these lines is no error any more. */
export function typeErrors(): unknown[] {
  const p = (name: string) => sql<number>`${name}`;
  return [
    // @ts-expect-error -- no such table
    db.selectFrom('incidents'),
    // @ts-expect-error -- no such column
    db.selectFrom('incident as i').select('i.titel'),
    // @ts-expect-error -- a column of another type
    db.selectFrom('incident as i').where('i.title', '=', 7),
    // @ts-expect-error -- a status that there is not
    db.selectFrom('incident as i').where('i.status', '=', 'GONE'),
    // @ts-expect-error -- no such column in a template
    sql`select ${i.titel}`,
    // @ts-expect-error -- no such column to set
    column('incident', 'titel'),
    // @ts-expect-error -- columns without a default are left out
    db.insertInto('incident').values({ organization_id: p('id') }),
    // @ts-expect-error -- the same of an insert that selects
    insertSelect('token_block', { token_id: i.id }),
    // @ts-expect-error -- no such parameter
    statement<{ id: number }>()((given) => sql`select ${given('key')}`),
    // @ts-expect-error -- a parameter of another type
    statement<{ id: string }>()((given) => db.selectFrom('incident').where('id', '=', given('id')).select('id')),
    // @ts-expect-error -- JSON is written as its text
    db.updateTable('organization').set({ contacts: [] }),
    // @ts-expect-error -- a row without the column
    async () => (await statement()(() => db.selectFrom('incident').select('id')).one({} as never)).title,
    // @ts-expect-error -- a call without the parameters
    statement<{ id: number }>()((given) => sql`select ${given('id')}`).all({} as never),
  ];
}
