import { describe, expect, it } from '@jest/globals';
import { JsonScanner } from '../../src/storage/judgement/json-scanner.js';
import { chunks } from '../support/bytes.js';

async function accepts(text: string, chunkSize: number): Promise<boolean> {
  const scanner = new JsonScanner();
  for await (const chunk of chunks(text, chunkSize)) if (!scanner.write(chunk)) return false;
  return scanner.end();
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every text of a few of the characters that matter, and well-formed ones with each single fault. */
const seeds = [
  '{"a":[1,-2.5e+3,0,true,false,null],"b\\u00e9\\n":{"c":"\\\\\\""}}',
  ' [ ] ',
  '{}',
  '"x"',
  '-0.1E-2',
  'null',
  '[[],{},[{"a":[]}]]',
];
const faults = seeds.flatMap((seed) => [
  seed,
  ...Array.from(seed, (_, at) => seed.slice(0, at)),
  ...Array.from(seed, (_, at) => seed.slice(0, at) + seed.slice(at + 1)),
  ...[...',:[]{}"\\0e-.t u\n'].flatMap((extra) =>
    Array.from(seed, (_, at) => seed.slice(0, at) + extra + seed.slice(at)),
  ),
]);

describe('the JSON scanner', () => {
  it.each([1, 3, 65_536])('agrees with JSON.parse on every text, in chunks of %i', async (size) => {
    const differences = [];
    for (const text of faults) if ((await accepts(text, size)) !== parses(text)) differences.push(text);
    expect(differences).toEqual([]);
    expect(faults.length).toBeGreaterThan(1_000);
  });

  it.each([
    '',
    ' ',
    '01',
    '+1',
    '1.',
    '.5',
    'NaN',
    "'a'",
    '[1,]',
    '{"a":1,}',
    '{1:2}',
    '1 2',
    '"\u0001"',
    'truex',
    'tru',
  ])('refuses %j', async (text) => {
    expect(await accepts(text, 2)).toBe(false);
  });

  it('goes a thousand levels deep and no deeper', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(await accepts(nested(1_000), 64)).toBe(true);
    expect(await accepts(nested(1_001), 64)).toBe(false);
  });
});
