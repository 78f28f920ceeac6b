import { describe, expect, test } from '@jest/globals';
import { Projection } from '../../src/database/projection.js';
import { sql, statement, table } from '../../src/database/sql.js';
import type { Selection } from '../../src/common/selection.js';

const selection = (fields: Record<string, Selection | undefined>): Selection => ({
  fields: Object.keys(fields),
  has: (field) => Object.hasOwn(fields, field),
  of: (field) => fields[field] ?? selection({}),
});

const d = table('document_version', 'd');
const o = table('organization', 'o');

const projection = new Projection(undefined, {
  id: d.id,
  name: d.original_name,
  'odd "name"': d.note,
  state: { needs: { openedAt: d.created_at, closedAt: d.effective_at } },
  organization: { object: { id: o.id, name: o.name } },
});

describe('a record that is made of values', () => {
  const selected = selection({
    name: undefined,
    'odd "name"': undefined,
    state: undefined,
    organization: selection({ name: undefined }),
  });
  const values = [7, 'Doors', null, '2026-01-01', null, 3, 'Acme', 'something that is not selected'];
  const record = {
    id: 7,
    name: 'Doors',
    'odd "name"': null,
    openedAt: '2026-01-01',
    closedAt: null,
    organization: { id: 3, name: 'Acme' },
  };

  test('is the same the first time, when it is assembled, and later, when it is written out', () => {
    const shape = projection.of(selected);
    for (let time = 1; time <= 4; time += 1) expect(shape.record(values)).toStrictEqual(record);
    expect(shape.record([...values])).not.toBe(shape.record(values));
  });

  test('has its values in the order of the select list', () => {
    const { select, columns } = projection.of(selected);
    const { text } = statement()(() => sql`select ${sql.join(select)}`);
    expect(text).toBe(
      'select "d"."id" as "id", "d"."original_name" as "name", "d"."note" as "odd ""name""", ' +
        '"d"."created_at" as "openedAt", "d"."effective_at" as "closedAt", ' +
        '"o"."id" as "organization.id", "o"."name" as "organization.name"',
    );
    expect([...columns.keys()]).toEqual([
      'id',
      'name',
      'odd "name"',
      'openedAt',
      'closedAt',
      'organization.id',
      'organization.name',
    ]);
  });
});
