import { describe, expect, it } from '@jest/globals';
import { pageOfItems, type PageRequest } from '../../src/database/cursor.js';
import { DomainError } from '../../src/errors.js';

const items = Array.from({ length: 130 }, (_, index) => index + 1);
const page = (request: PageRequest) => pageOfItems(items, 'int', (item) => item, request);
const errors = (request: PageRequest) => {
  try {
    page(request);
  } catch (error) {
    return (error as DomainError).messages;
  }
  throw new Error('The page was expected to be refused');
};

describe('a page', () => {
  it('has fifty items when no size is given', () => {
    expect(page({}).rows).toEqual(items.slice(0, 50));
    expect(page({}).hasNextPage).toBe(true);
    expect(page({}).total).toBe(130);
  });

  it('may have one item and a hundred, and nothing beside', () => {
    expect(page({ first: 1 }).rows).toEqual([1]);
    expect(page({ first: 100 }).rows).toHaveLength(100);
    expect(errors({ first: 0 })).toEqual(['first must be from 1 to 100']);
    expect(errors({ first: 101 })).toEqual(['first must be from 1 to 100']);
    expect(errors({ last: 0 })).toEqual(['last must be from 1 to 100']);
  });

  it('follows page by page without dropping or repeating an item', () => {
    const seen: number[] = [];
    let after: string | undefined;
    do {
      const { rows, cursors, hasNextPage } = page({ first: 7, after });
      seen.push(...rows);
      after = hasNextPage ? cursors.at(-1) : undefined;
    } while (after !== undefined);
    expect(seen).toEqual(items);
  });

  it('goes backwards from the end, in the order of the list', () => {
    const last = page({ last: 3 });
    expect(last.rows).toEqual([128, 129, 130]);
    expect(last.hasPreviousPage).toBe(true);
    expect(last.hasNextPage).toBe(false);
    const before = page({ last: 3, before: last.cursors[0] });
    expect(before.rows).toEqual([125, 126, 127]);
    expect(before.hasNextPage).toBe(true);
  });

  it('counts with an offset, and may lie beyond the end', () => {
    const last = page({ first: 5, offset: 128 });
    expect([last.rows, last.hasNextPage, last.hasPreviousPage]).toEqual([[129, 130], false, true]);
    expect(page({ first: 5, offset: 130 }).rows).toEqual([]);
    expect(errors({ offset: -1 })).toEqual(['offset must be 0 or more']);
  });

  it('refuses what contradicts itself, all at once', () => {
    expect(errors({ first: 1, last: 1, offset: -2 })).toContain('first and last must not be given together');
    expect(errors({ first: 1, before: 'x' })).toEqual(['before must not be given together with first']);
    for (const other of [{ after: 'x' }, { last: 2 }, { before: 'x' }])
      expect(errors({ offset: 3, ...other })).toEqual(['offset must not be given together with a cursor or last']);
  });

  it.each([
    '',
    'x',
    '%%%',
    Buffer.from('[1,2]').toString('base64url'),
    Buffer.from('["KEY","a",1]').toString('base64url'),
    Buffer.from('["KEY",1e99,1]').toString('base64url'),
    // Decoders skip what is no base64, and JSON has other spellings of the same.
    ...['!', '=', ' '].map((sign) => `${page({ first: 1 }).cursors[0]}${sign}`),
    Buffer.from('["KEY", 1, 1]').toString('base64url'),
    Buffer.from('["KEY",1.0,1]').toString('base64url'),
    Buffer.from('["OTHER",1,1]').toString('base64url'),
  ])('refuses the cursor %j', (after) =>
    expect(errors({ first: 1, after })).toEqual(['after must be a cursor of this list in the same order']),
  );
});
