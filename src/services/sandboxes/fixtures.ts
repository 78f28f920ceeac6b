import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { DAY, HOUR, MINUTE } from '../../common/time.js';

/** One row of a fixture file: the entity's columns by property, and keys for further values. */
export interface FixtureRow {
  entity: string;
  /** File and path, for messages. */
  place: string;
  values: Record<string, unknown>;
}

const FOLDER = fileURLToPath(new URL('../../../demo', import.meta.url));

/** By entity, groups of rows with their common values. */
type FixtureDocument = Record<string, { common?: object; rows: object[] }[]>;

/** Cached files of `demo/`. */
const documents = new Map<string, FixtureDocument>();

function readDocument(file: string): FixtureDocument {
  const document = documents.get(file) ?? (parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as FixtureDocument);
  documents.set(file, document);
  return document;
}

/** Reads the rows of a file of `demo/`. */
export function readFixtures(file: string): FixtureRow[] {
  return Object.entries(readDocument(file)).flatMap(([entity, groups]) =>
    groups.flatMap(({ common, rows }, group) =>
      rows.map((row, index) => ({
        entity,
        place: `demo/${file}: /${entity}/${group}/rows/${index}`,
        values: { ...common, ...row },
      })),
    ),
  );
}

export interface DemoFile {
  name: string;
  content: Buffer;
}

/** A file of `demo/files`. */
export function readFile(name: string): DemoFile {
  return { name, content: readFileSync(`${FOLDER}/files/${name}`) };
}

const UNITS = { d: DAY, h: HOUR, m: MINUTE, s: 1000 };
const RELATIVE_TIME = /^(now|hour|[-+]\d+(\.\d+)?[dhms]( \d+(\.\d+)?[dhms])*)$/;

/** The time that `-3d 4h`, `+1.5d`, `now` or `hour` (start of the current hour) means at `now`. */
export function timeOf(text: string, now: Date): Date {
  if (!RELATIVE_TIME.test(text)) throw new Error(`${text} is no time of the demo data`);
  if (text === 'hour') return new Date(Math.floor(now.getTime() / HOUR) * HOUR);
  let distance = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)([dhms])/g))
    distance += Number(amount) * UNITS[unit as keyof typeof UNITS];
  return new Date(now.getTime() + (text.startsWith('-') ? -distance : distance));
}

/** A file of `demo/files`, or the text in its row with the times filled in. */
export function fileOf({ values }: FixtureRow, now: Date): DemoFile {
  const { name, text } = values as { name: string; text?: string };
  if (text === undefined) return readFile(name);
  const filled = text.replaceAll(/\{(-[\d.]+[dhms])\}/g, (_, time: string) => timeOf(time, now).toISOString());
  return { name, content: Buffer.from(name.endsWith('.csv') ? filled.replaceAll('\n', '\r\n') : filled) };
}
