import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { StartupError } from '../../src/errors.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { checkRow, readFixtures, timeOf } from '../../src/demo/fixtures.js';
import { Membership } from '../../src/entities/members.js';

const NOW = new Date('2026-03-04T10:20:30.456Z');

describe('a time of a fixture', () => {
  it.each([
    ['now', '2026-03-04T10:20:30.456Z'],
    ['hour', '2026-03-04T10:00:00.000Z'],
    ['-3d 4h', '2026-03-01T06:20:30.456Z'],
    ['-1.5h', '2026-03-04T08:50:30.456Z'],
    ['+1d', '2026-03-05T10:20:30.456Z'],
    ['-1m 30s', '2026-03-04T10:19:00.456Z'],
  ])('%s is relative to the time of seeding', (text, expected) => {
    expect(timeOf(text, NOW).toISOString()).toBe(expected);
  });
});

describe('a row of a fixture', () => {
  let orm: MikroORM;
  const rows = readFixtures('people.yaml').filter(({ entity }) => entity === 'Membership');

  beforeAll(async () => {
    orm = await MikroORM.init(ormOptions({ url: 'postgresql://localhost/unused' }));
  });

  afterAll(() => orm.close(true));

  const check = (changes: object) => {
    const row = { ...rows[1]!, values: { ...rows[1]!.values, ...changes } };
    return () => checkRow(row, orm.getMetadata().get(Membership));
  };

  it('has the values that its group has in common', () => {
    expect(rows[1]).toEqual({
      entity: 'Membership',
      place: 'demo/people.yaml: /Membership/0/rows/1',
      values: {
        organization: 'valdoria',
        user: 'manager',
        role: 'ORGANIZATION_MANAGER',
        alertVCiso: false,
        createdAt: '-298d',
      },
    });
    expect(check({})).not.toThrow();
  });

  it.each([
    ['a text for a switch', { alertAtb: 'no' }, '/rows/1/alertAtb must be boolean'],
    ['a date for a relative time', { createdAt: '2026-03-04' }, '/rows/1/createdAt must match pattern'],
    ['a property that the entity lacks', { rank: 4 }, 'must NOT have additional properties (rank)'],
    ['a missing property', { role: undefined }, "/rows/1 must have required property 'role'"],
  ])('with %s is refused in one sentence that names file and path', (_what, changes, problem) => {
    const place = 'The demo data is not valid: demo/people.yaml: /Membership/0/rows/1';
    expect(check(changes)).toThrow(StartupError);
    expect(check(changes)).toThrow(place);
    expect(check(changes)).toThrow(problem);
  });
});
