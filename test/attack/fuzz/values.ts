import type { Random } from '../support/random.js';

/** Texts that are difficult for parsers, databases and logs, none longer than a header may be. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202egpj.exe',
  '\ufeff',
  '\u00e9\u0301\u{1f9d1}\u200d\u{1f680}',
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '[object Object]',
  '-1',
  '0',
  '1e3',
  '0x10',
  '٣',
  '1.0',
  ' 1',
  '+1',
  '007',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '99999999999999999999999999',
  "' or 1=1 --",
  '%',
  '%%',
  '_',
  '\\',
  '"',
  '../../etc/passwd',
  '..%2f..%2f',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'http://[::1',
  'a@b',
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999999Z',
  '1.2.3.256',
  '::ffff:1.2.3.4',
  'xn--',
  '#12345g',
  'a'.repeat(201),
  'ä'.repeat(1_001),
  '\u0000'.repeat(3),
  'line\r\nX-Injected: 1',
];

const ODD_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-7,
  99,
  100,
  101,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  2 ** 53,
  1e21,
  1e308,
  5e-324,
];

/** A value of any JSON type, valid or not. */
export function oddValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 5 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick(ODD_NUMBERS);
  if (kind <= 4) return random.pick(ODD_TEXTS);
  if (kind === 5) return Array.from({ length: random.below(4) }, () => oddValue(random, depth + 1));
  if (kind === 6) return Array.from({ length: 300 }, () => 1);
  if (kind === 7) return JSON.parse(random.pick(ODD_OBJECTS)) as unknown;
  const keys = Array.from({ length: 1 + random.below(3) }, () => random.pick(ODD_TEXTS));
  return Object.fromEntries(keys.map((key) => [key, oddValue(random, depth + 1)]));
}

const ODD_OBJECTS: readonly string[] = [
  '{"toString": 1, "valueOf": 1}',
  '{"__proto__": {"polluted": true}}',
  '{"constructor": {"prototype": {"polluted": true}}}',
  '{"length": 1000000000}',
  '{"then": 1}',
  '{"toJSON": "x"}',
  '{"": {"": {"": []}}}',
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
];

/** A copy with one change: another value, a removed or an additional one. */
export function mutated(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return oddValue(random);
  if (Array.isArray(value)) {
    const items = [...(value as unknown[])];
    if (items.length === 0 || random.chance(0.2)) return [...items, oddValue(random)];
    const at = random.below(items.length);
    items[at] = mutated(random, items[at]);
    return items;
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.2)) return { ...value, [random.pick(ODD_TEXTS)]: oddValue(random) };
  const at = random.below(entries.length);
  const [key, old] = entries[at] as [string, unknown];
  if (random.chance(0.15)) return Object.fromEntries(entries.filter((entry) => entry[0] !== key));
  return { ...value, [key]: mutated(random, old) };
}

/** JSON that no serializer writes. */
export function oddJson(random: Random, text: string): string {
  const cut = random.below(Math.max(1, text.length));
  return random.pick([
    () => text.slice(0, cut),
    () => `${text.slice(0, cut)}${random.pick(['\0', '\u00ff', ',', '}', '"', '\\u0000', '\ud800'])}${text.slice(cut)}`,
    () => `\ufeff${text}`,
    () => `${text} ${text}`,
    () => text.replace('{', '{"__proto__": {"x": 1}, '),
    () => text.replace(/\d+/, random.pick(['1e999', '-0', '1E400', '00', '1.', '9'.repeat(400)])),
    () => '['.repeat(1_000 + random.below(5_000)),
    () => random.pick(['', 'null', '""', '0', '[]', 'true', '[[]]', '{"":{}}', 'NaN']),
  ])();
}
