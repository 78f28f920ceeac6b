import { describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../src/database/orm-options.js';
import { FixtureLoader } from '../../src/demo/fixture-loader.js';
import { readFixtures, timeOf } from '../../src/services/sandboxes/fixtures.js';
import { StartupError } from '../../src/errors.js';
import type { BlobStore } from '../../src/storage/blob-store.js';

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

  it.each(['2026-03-04', '3d', '-3 d', '-3d, 4h', ''])('cannot be %j', (text) => {
    expect(() => timeOf(text, NOW)).toThrow(`${text} is no time of the demo data`);
  });
});

describe('a row of a fixture', () => {
  const [, manager] = readFixtures('people.yaml').filter(({ entity }) => entity === 'Membership');

  it('has the values that its group has in common', () => {
    expect(manager).toEqual({
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
  });

  it.each([
    ['a property that the entity lacks', { values: { role: 'VIEWER', rank: 4 } }, 'Membership has no property rank'],
    ['a key that no row has', { values: { user: 'absent' } }, 'no User has the key absent'],
    ['an entity that there is not', { entity: 'Member' }, 'there is no such entity'],
  ])('with %s is refused in one sentence that names file and path', async (_what, changes, problem) => {
    const orm = await MikroORM.init(ormOptions({ url: 'postgresql://localhost/unused' }));
    const loader = new FixtureLoader(orm.em.fork(), {} as BlobStore, NOW);
    const sentence = `The demo data is not valid: demo/people.yaml: /Membership/0/rows/1, ${problem}.`;
    await expect(loader.load([{ ...manager!, ...changes }])).rejects.toThrow(new StartupError(sentence));
    await orm.close(true);
  });
});
