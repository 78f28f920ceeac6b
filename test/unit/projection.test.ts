import { describe, expect, test } from '@jest/globals';
import { Projection } from '../../src/database/projection.js';
import type { Selection } from '../../src/vocabulary/selection.js';

const selection = (fields: Record<string, Selection | undefined>): Selection => ({
  fields: Object.keys(fields),
  has: (field) => Object.hasOwn(fields, field),
  of: (field) => fields[field] ?? selection({}),
});

const projection = new Projection({
  id: 'd.id',
  name: 'd.name',
  'odd "name"': 'd.odd',
  state: { needs: { openedAt: 'd.opened_at', closedAt: 'd.closed_at' } },
  organization: { object: { id: 'o.id', name: 'o.name' } },
});

describe('a record that is made of values', () => {
  const asked = selection({
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
    const shape = projection.of(asked);
    for (let time = 1; time <= 4; time += 1) expect(shape.record(values)).toStrictEqual(record);
    expect(shape.record([...values])).not.toBe(shape.record(values));
  });

  test('has its values in the order of the select list', () => {
    const { select, columns } = projection.of(asked);
    expect(select).toBe([...columns].map(([name, sql]) => `${sql} as "${name}"`).join(', '));
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
