import { parseArgs } from 'node:util';

export const PARTS = ['a', 'b', 'c', 'd', 'e', 'alone', 'f', 'cold', 'memory', 'start', 'webhooks'] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  parts: ReadonlySet<Part>;
  rounds: number;
  /** Requests are divided by this. */
  haste: number;
  /** Folder of another build, which (f) is measured with as well. */
  base?: string | undefined;
}

/** Reads the command line. Throws an Error with one sentence. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      base: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
  return { parts: partsOf(values.only), rounds, haste: values.quick ? 4 : 1, base: values.base };
}

function partsOf(only: string | undefined): ReadonlySet<Part> {
  if (only === undefined) return new Set(PARTS);
  const names = only.split(',').map((name) => name.trim());
  const known = names.filter((name): name is Part => (PARTS as readonly string[]).includes(name));
  if (known.length < names.length) throw new Error(`--only must be a list of ${PARTS.join(', ')}`);
  return new Set(known);
}
