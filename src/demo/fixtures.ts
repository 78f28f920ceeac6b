import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { StartupError } from '../errors.js';

/** One row of a fixture file: the columns of its entity by property, and what its entity's `EXTRAS` add. */
export interface FixtureRow {
  entity: string;
  /** File and path, for messages. */
  place: string;
  values: Record<string, unknown>;
}

const FOLDER = fileURLToPath(new URL('../../demo', import.meta.url));

/** Reads a file of `demo/`. Throws StartupError with file and path when its shape is wrong. */
export function readFixtures(file: string): FixtureRow[] {
  const name = `demo/${file}`;
  const document: unknown = parse(readFileSync(`${FOLDER}/${file}`, 'utf8'));
  expectValid(ajv.compile(DOCUMENT), document, `${name}: `);
  const sections = Object.entries(document as Record<string, { common?: object; rows: object[] }[]>);
  return sections.flatMap(([entity, groups]) =>
    groups.flatMap(({ common, rows }, group) =>
      rows.map((row, index) => ({
        entity,
        place: `${name}: /${entity}/${group}/rows/${index}`,
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

/** Checks a row against the JSON Schema of its entity. Throws StartupError with file and path. */
export function checkRow({ entity, place, values }: FixtureRow, metadata: EntityMetadata | undefined): void {
  let isValid = rowChecks.get(entity);
  if (isValid === undefined) {
    isValid = ajv.compile(metadata === undefined ? FILE : schemaOf(metadata));
    rowChecks.set(entity, isValid);
  }
  expectValid(isValid, values, place);
}

/** Milliseconds of each unit. */
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const RELATIVE_TIME = '^(now|hour|[-+]\\d+(\\.\\d+)?[dhms]( \\d+(\\.\\d+)?[dhms])*)$';

/** The time that `-3d 4h`, `+1.5d`, `now` or `hour` (when the current hour began) means at `now`. */
export function timeOf(text: string, now: Date): Date {
  if (text === 'hour') return new Date(Math.floor(now.getTime() / UNITS.h) * UNITS.h);
  let distance = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)([dhms])/g))
    distance += Number(amount) * UNITS[unit as keyof typeof UNITS];
  return new Date(now.getTime() + (text.startsWith('-') ? -distance : distance));
}

const ajv = new Ajv2020({ allErrors: true, strict: true, meta: false, validateSchema: false });
const rowChecks = new Map<string, ValidateFunction>();

const DOCUMENT = {
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      properties: { common: { type: 'object' }, rows: { type: 'array', items: { type: 'object' } } },
      required: ['rows'],
      additionalProperties: false,
    },
  },
};

const TEXT = { type: 'string' };
const TIME = { type: 'string', pattern: RELATIVE_TIME };
const FILE = {
  type: 'object',
  properties: { key: TEXT, name: TEXT, text: TEXT },
  required: ['key', 'name'],
  additionalProperties: false,
};

const STORED_FILE = ['originalName', 'contentType', 'size', 'sha256', 'createdBy', 'uploaderId'];
/** Properties that the loader computes, so that fixtures must not give them. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  ApiToken: ['digest', 'prefix'],
  DocumentVersion: STORED_FILE,
  IncidentAttachment: STORED_FILE,
  Invitation: ['digest'],
  Notification: ['icon', 'action'],
  ThreatBlocker: ['atbKey'],
};

const TRAFFIC = {
  type: 'object',
  properties: {
    seed: { type: 'integer' },
    requestsAtNoon: { type: 'integer' },
    failing: TEXT,
    reporting: { type: 'boolean' },
  },
  required: ['seed', 'requestsAtNoon'],
  additionalProperties: false,
};
/** What fixtures say beside the properties of the entity. */
const EXTRAS: Readonly<Record<string, Record<string, object>>> = {
  CloudDefender: { traffic: TRAFFIC },
  DocumentVersion: { file: TEXT, by: TEXT },
  IncidentAttachment: { file: TEXT, by: TEXT },
  ThreatBlocker: { traffic: TRAFFIC },
};

function schemaOf({ className, props }: EntityMetadata): object {
  const computed = COMPUTED[className] ?? [];
  const given = props.filter(
    ({ name, autoincrement, generated }) => !autoincrement && !generated && !computed.includes(name),
  );
  return {
    type: 'object',
    properties: {
      key: TEXT,
      ...Object.fromEntries(given.map((property) => [property.name, valueSchema(property)])),
      ...EXTRAS[className],
    },
    required: given.filter(isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

function isRequired({ nullable, primary, version, default: value, defaultRaw }: EntityProperty): boolean {
  return !nullable && !primary && !version && value === undefined && defaultRaw === undefined;
}

function valueSchema(property: EntityProperty): object {
  // A relation names the `key` of another row.
  if (property.kind !== ReferenceKind.SCALAR) return TEXT;
  const [column = ''] = property.columnTypes;
  if (column === 'date' || column.startsWith('timestamptz(')) return TIME;
  if (column === 'timestamptz[]') return { type: 'array', items: TIME };
  if (column === 'text[]') return { type: 'array', items: TEXT };
  if (column === 'jsonb') return {};
  if (column === 'boolean') return { type: 'boolean' };
  if (/^(int|smallint|bigint)$/.test(column)) return { type: 'integer' };
  return TEXT;
}

function expectValid(isValid: ValidateFunction, value: unknown, place: string): void {
  if (isValid(value)) return;
  const errors = (isValid.errors ?? []).map(({ instancePath, message, params }) => {
    const name = 'additionalProperty' in params ? ` (${params['additionalProperty']})` : '';
    return `${place}${instancePath} ${message}${name}`;
  });
  throw new StartupError(`The demo data is not valid: ${errors.join('; ')}.`);
}
