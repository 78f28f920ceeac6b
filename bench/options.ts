import { parseArgs } from 'node:util';
import { requirePeers } from './servers.js';

export const PARTS = ['a', 'b', 'c', 'd', 'e', 'alone', 'f', 'rush', 'cold', 'memory', 'start', 'webhooks'] as const;
export type Part = (typeof PARTS)[number];

const OF_PEERS = ['a', 'b', 'c', 'e'] as const;

export interface Options {
  parts: ReadonlySet<Part>;
  rounds: number;
  /** Divisor of the numbers of requests. */
  haste: number;
  /** Folder of another build, which (f) and (rush) are measured with as well. */
  base?: string | undefined;
  /** Whether the alternatives to the gateway are measured as well. */
  peers: boolean;
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
      peers: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
  const parts = partsOf(values.only);
  if (values.peers) {
    if (!OF_PEERS.some((part) => parts.has(part)))
      throw new Error(`--peers measures ${OF_PEERS.join(', ')}: --only has none of them`);
    requirePeers();
  }
  return { parts, rounds, haste: values.quick ? 4 : 1, base: values.base, peers: values.peers };
}

function partsOf(only: string | undefined): ReadonlySet<Part> {
  if (only === undefined) return new Set(PARTS);
  const names = only.split(',').map((name) => name.trim());
  const known = names.filter((name): name is Part => (PARTS as readonly string[]).includes(name));
  if (known.length < names.length) throw new Error(`--only must be a list of ${PARTS.join(', ')}`);
  return new Set(known);
}
