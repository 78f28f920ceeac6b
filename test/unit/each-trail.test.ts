import { describe, expect, test } from '@jest/globals';
import { unavailable } from '../../src/errors.js';
import { ofEachTrail } from '../../src/services/audit/each-trail.js';

describe('what is done for each trail', () => {
  /** Items that begin with their trail, of which one fails. */
  async function done(failing: string, error: Error) {
    const items: string[] = [];
    const work = ofEachTrail(
      ['a1', 'b1', 'a2', 'b2'],
      (item) => item.charAt(0),
      async (item) => {
        if (item === failing) throw error;
        items.push(item);
      },
    );
    await expect(work).rejects.toBe(error);
    return items;
  }

  test('goes on with other trails behind one that fails, whose later items wait for it', async () => {
    expect(await done('a1', new Error('locked'))).toEqual(['b1', 'b2']);
  });

  test('ends at once where the database is away', async () => {
    expect(await done('b1', unavailable())).toEqual(['a1']);
  });
});
