import { describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql';
import { openApiDocument } from '../../src/rest/openapi.js';
import { FIRST_ID, startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();
const { schema } = gateway.app.executor;

/** Fields that may have 32 bits, with the reason: all others, and every id, must have more. Names are GraphQL's. */
const SMALL: Readonly<Record<string, string>> = {
  ...named('how many of one organization, device or user there are', [
    ...['totalCount', 'total', 'count', 'unread', 'changed', 'reports', 'documents', 'own', 'mapped', 'received'],
    ...['open', 'contained', 'resolved', 'closed', 'overdue', 'devicesDown', 'overdueControls', 'staleEvidence'],
    ...['done', 'inProgress', 'notApplicable', 'toDo', 'controlCount', 'unchanged', 'controls'],
    ...['attested', 'countersigned', 'stale'],
    ...['rowCount', 'doneCount', 'changedCount', 'unchangedCount', 'refusedCount'],
  ]),
  ...named('a page is counted within such a list', ['first', 'last', 'limit', 'offset']),
  ...named('it has a limit that is far below', [
    ...['size', 'numberEmployees', 'reviewIntervalMonths', 'auditRetentionDays', 'reportWeekday', 'graceHours'],
    ...[
      'mailsSent',
      'attempts',
      'attemptCount',
      'atMost',
      'latestAwareHours',
      'linkMinutes',
      'rank',
      'value',
      'status',
    ],
    ...[
      'position',
      'number',
      'cost',
      'remaining',
      'resetInSeconds',
      'windowSeconds',
      'version',
      'replacesVersion',
      'row',
      'controlVersion',
    ],
    ...['wait', 'milliseconds', 'statusCode', 'recovered', 'speed'],
  ]),
  ...named('a device counts it anew for each report', [
    ...['maliciousRequests', 'totalRequests', 'totalManagedRequests', 'wafProtection'],
    ...['fqdn', 'proxy', 'endpoint', 'vpn', 'dnsbl', 'iplist'],
  ]),
  ...named('the envelope of REST', ['error', 'messages', 'Retry-After']),
};

function named(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

const isId = (name: string) => /^id$|Ids?$|_ids?$/.test(name);

function placesOfInt(type: GraphQLNamedType): string[] {
  if (!isObjectType(type) && !isInputObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => {
    const places: readonly { name: string; type: GraphQLType }[] = [field, ...('args' in field ? field.args : [])];
    return places.filter((place) => getNamedType(place.type).name === 'Int').map((place) => place.name);
  });
}

describe('numbers of 32 bits', () => {
  test('are in GraphQL those alone that cannot outgrow them, and no id', () => {
    const names = new Set(
      Object.values(schema.getTypeMap())
        .filter(({ name }) => !name.startsWith('__'))
        .flatMap(placesOfInt),
    );
    expect([...names].filter((name) => isId(name) || !(name in SMALL))).toEqual([]);
  });

  test('are the same in the interface description, and every id has 64 bits and its true maximum', () => {
    const wrong = new Set<string>();
    const seen = new Set<string>();
    visit(openApiDocument(schema, { url: 'https://gateway.example' }), '', (name, { type, format, maximum }) => {
      if (![type].flat().includes('integer')) return;
      seen.add(name);
      const plain = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isWide = format === 'int64';
      if (isId(name) ? !isWide || maximum !== 2 ** 53 - 1 : !isWide && !(plain in SMALL)) wrong.add(name);
    });
    expect([...wrong]).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining(['id', 'ids', 'incidentid', 'organizationid']));
  });

  test('are in the database no ids, and no sequence ends with them', async () => {
    const columns = await gateway.app.database.rows<{ place: string }>(
      `select table_name || '.' || column_name as place from information_schema.columns
        where table_schema = 'public' and data_type in ('integer', 'smallint') and column_name ~ '(^|_)id$'
          and table_name <> 'schema_migration' order by 1`,
    );
    expect(columns.map(({ place }) => place)).toEqual([]);
    const sequences = await gateway.app.database.rows<{ name: string }>(
      `select sequencename as name from pg_sequences where schemaname = 'public' and data_type <> 'bigint'::regtype`,
    );
    expect(sequences.map(({ name }) => name)).toEqual(['schema_migration_id_seq']);
    const functions = await gateway.app.database.rows<{ name: string }>(
      `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'public' and 'int4'::regtype = any(p.proargtypes)
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
    );
    expect(functions.map(({ name }) => name)).toEqual([]);
  });

  test('do not contain the ids that the tests with test data use', () => {
    expect(testData.organizationId).toBe(FIRST_ID);
  });
});

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maximum?: number;
}

/** Calls `see` with each schema and the name of its property, parameter or header. */
function visit(value: unknown, name: string, see: (name: string, schema: Schema) => void): void {
  if (Array.isArray(value)) return value.forEach((item) => visit(item, name, see));
  if (typeof value !== 'object' || value === null) return;
  const own = value as Readonly<Record<string, unknown>>;
  if (typeof own['type'] === 'string' || Array.isArray(own['type'])) see(name, own as Schema);
  const shown = typeof own['name'] === 'string' && 'schema' in own ? own['name'] : name;
  for (const [key, below] of Object.entries(own)) {
    if (['example', 'examples', 'default', 'enum', 'const'].includes(key)) continue;
    visit(below, KEYWORDS.has(key) ? shown : key, see);
  }
}

const KEYWORDS = new Set(['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'schema', 'content']);
