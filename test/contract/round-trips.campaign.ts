import { expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toEnumName, toSnakeCase } from '../../src/common/naming.js';
import { isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { EVENT_TYPES } from '../../src/values/events.js';
import { inGraphQLInput } from '../support/rest-values.js';
import { NOT_TRIED, roundTrips, UNREADABLE } from '../support/round-trip-cases.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { PROVEN } from '../support/seeded-organization.js';
import { buildWorkflow } from '../support/test-data.js';
import type { Input } from '../support/versioned-objects.js';

const schema = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));
const mutations = schema.getMutationType()!.getFields();
const { gateway, testData } = await startSeededGateway({ resolveTxt: PROVEN });
const { database } = gateway.app;
const { organizationId, owner } = testData;
await buildWorkflow(database, organizationId, 'nis2-directive');
await database.rows(`update organization set country = 'IT' where id = $1`, [organizationId]);
const cases = roundTrips(database, testData);

/** A response and the state read afterwards, with REST's names and GraphQL's values; or the reason of a refusal. */
interface Outcome {
  answer?: unknown;
  read?: unknown;
  refusal?: string;
}

function inputOf(name: string): GraphQLInputObjectType | undefined {
  const [argument] = mutations[name]!.args;
  const type = argument && getNamedType(argument.type);
  return isInputObjectType(type) ? type : undefined;
}

/** The identification of an object, and its state before the change. */
const isKey = (field: string) => field === 'version' || /Ids?$/.test(field);

const LEFT_OUT = new Set(['auditTrailVerification', 'blockedInOrganizations', 'evidencePackUrl', 'viewerCan'])
  .add('oscalAssessmentResults')
  .add('oscalComponentDefinition');

/** Every field that needs no arguments, so many levels deep. */
function selectionOf(type: GraphQLNamedType, levels: number): string {
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const below = getNamedType(field.type);
    if (field.args.some(isRequiredArgument) || LEFT_OUT.has(field.name)) return [];
    if (isLeafType(below)) return [field.name];
    return levels > 1 && !/(?:Connection|Edge)$/.test(below.name)
      ? [`${field.name} ${selectionOf(below, levels - 1)}`]
      : [];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

/** The first global id of a response, nearest to its root. */
function idIn(answer: unknown): string | undefined {
  const objects = [answer];
  for (const each of objects) {
    if (typeof each !== 'object' || each === null) continue;
    const { id } = each as { id?: unknown };
    if (typeof id === 'string' && /^[A-Z]\w+:/.test(id)) return id;
    objects.push(...Object.values(each));
  }
  return undefined;
}

async function throughGraphQL(name: string, input: Input, token: string): Promise<Outcome> {
  const selection = selectionOf(getNamedType(mutations[name]!.type), 4);
  const query = `mutation ($input: ${inputOf(name)!.name}!) { ${name}(input: $input) ${selection} }`;
  const { body } = await gateway.graphql.call(query, { token, variables: { input } });
  if (body.errors) return { refusal: JSON.stringify(body.errors[0]!.extensions.messages) };
  const id = idIn(body.data[name]);
  const type = schema.getType(id?.split(':')[0] ?? '');
  if (type === undefined) return { answer: body.data[name] };
  const node = `{ node(id: "${id}") { ... on ${type.name} ${selectionOf(type, 3)} } }`;
  return { answer: body.data[name], read: (await gateway.graphql.call(node, { token })).body.data?.node };
}

/** Fields of inputs with another name in bodies. */
const NAMES: Readonly<Record<string, string>> = { workflowIds: 'workflows', privateIP: 'privateIP' };

function restValue(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (value === null || value === undefined) return value;
  if (isListType(bare)) return (value as unknown[]).map((item) => restValue(bare.ofType as GraphQLInputType, item));
  if (isInputObjectType(bare)) return restBody(bare, value as Input);
  if (!isEnumType(bare)) return value;
  if (bare.name === 'EventType') return EVENT_TYPES[value as keyof typeof EVENT_TYPES];
  if (bare.name === 'DocumentSource') return (value as string).toLowerCase();
  const spelling = bare.getValue(value as string)?.description ?? '';
  return toEnumName(spelling) === value ? spelling : value;
}

function restBody(type: GraphQLInputObjectType, value: Input): Input {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      NAMES[name] ?? toSnakeCase(name),
      restValue(type.getFields()[name]!.type, each),
    ]),
  );
}

const isRead = (path: string) =>
  ROUTES.some(
    (route) => route.method === 'GET' && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );

async function throughRest(name: string, input: Input, token: string): Promise<Outcome> {
  const route = ROUTES.filter(isOperationRoute).find(
    ({ method, data }) => method !== 'GET' && data.split('.')[0] === name,
  )!;
  const body = { ...input };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_braces, parameter: string) => {
    const isOf = (key: string) => key.toLowerCase() === parameter.replaceAll('_', '');
    const others = Object.keys(body).filter((key) => key !== 'organizationId' || route.path.includes('/{id}'));
    const key = Object.keys(body).find(isOf) ?? others.find((each) => /Id$/.test(each))!;
    const value = String(body[key]);
    delete body[key];
    return encodeURIComponent(value);
  });
  const sent = restBody(inputOf(name)!, body);
  const answered = await gateway.rest.call(route.method, path, { token, body: sent });
  if (answered.status >= 300) return { refusal: JSON.stringify(answered.body.messages) };
  const { data } = answered.body;
  const location = answered.headers.get('location')?.replace(gateway.url, '');
  const id = data?.id ?? Object.values(data ?? {}).find((each) => (each as { id?: unknown } | null)?.id !== undefined);
  const places = [
    location,
    `${path}/${id?.id ?? id}`,
    path,
    ...[1, 2].map((n) => path.split('/').slice(0, -n).join('/')),
  ];
  const place = places.find((each) => each !== undefined && isRead(each));
  const read = place && (await gateway.rest.get(place, { token })).body.data;
  return inGraphQLInput({ answer: data, read });
}

/** Whether a value includes everything expected. */
function has(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((each, at) => has(actual[at], each))
    );
  if (typeof expected === 'object' && expected !== null)
    return Object.entries(expected).every(([key, each]) => has((actual as Input | null | undefined)?.[key], each));
  const [one, other] = [actual, expected].map((each) => (isInstant(each) ? Date.parse(each) : each));
  return one === other || (typeof actual === 'string' && isSpelledAs(expected, actual));
}

const isInstant = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
/** Entries have the stored values of enums. */
const isSpelledAs = (name: unknown, spelling: string) =>
  typeof name === 'string' &&
  /^[A-Z][A-Z0-9_]*$/.test(name) &&
  [spelling, spelling.replace('.', '_')].some((each) => toEnumName(each) === name);

/** Whether a response has a value: under the name of its field, or as a unique text. */
function says(answer: unknown, field: string, value: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const isNamed = Object.entries(answer).some(
    ([key, each]) => (key === field && has(each, value)) || says(each, field, value),
  );
  if (isNamed || typeof value !== 'string' || /^[A-Z_\d]{0,30}$/.test(value)) return isNamed;
  // A longer text may be a part of another one.
  return JSON.stringify(answer).includes(value.length > 4 ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value));
}

interface Entry {
  subject: { name: unknown };
  changes?: Record<string, { after?: unknown }>;
  state?: object;
  reason?: string;
}

const heads = async () =>
  new Map(
    (await database.rows<{ id: number; position: number }>('select id, position from audit_log')).map((log) => [
      log.id,
      log.position,
    ]),
  );

async function entriesSince(before: ReadonlyMap<number, number>): Promise<Entry[]> {
  const rows = await database.rows<{ id: number; position: number; entry: string }>(
    'select log_id as id, position, entry from audit_entry',
  );
  return rows
    .filter(({ id, position }) => position > (before.get(id) ?? 0))
    .map(({ entry }) => JSON.parse(entry) as Entry);
}

/** Secrets and personal data are recorded as changed, or sealed. */
function isOnRecord({ changes = {}, state = {}, reason, subject }: Entry, field: string, value: unknown): boolean {
  const after = changes[field]?.after;
  const isSealed = (each: unknown): boolean =>
    Array.isArray(each) ? each.some(isSealed) : typeof each === 'object' && each !== null && 'sealed' in each;
  const afters = Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change.after]));
  return (
    after === 'changed' ||
    isSealed(after) ||
    (field === 'name' && isSealed(subject.name)) ||
    has(reason, value) ||
    says({ ...state, ...afters, subject }, field, value)
  );
}

test('every mutation that takes more than what it names has a case', () => {
  const left = Object.keys(mutations).filter(
    (name) => !(name in cases) && Object.keys(inputOf(name)?.getFields() ?? {}).some((field) => !isKey(field)),
  );
  expect(left.toSorted()).toEqual(
    Object.keys(NOT_TRIED)
      .filter((name) => !name.includes('.'))
      .toSorted(),
  );
});

const used = new Set<string>();

test.each(Object.keys(cases))('what %s is given can be read afterwards', async (name) => {
  const { make, values = {}, beside = {} } = cases[name]!;
  const required = await make();
  const fields = Object.keys(inputOf(name)!.getFields());
  const missing = fields.filter((field) => !isKey(field) && !(field in required) && !(field in values));
  const notTried = Object.keys(NOT_TRIED).filter((each) => each.startsWith(`${name}.`));
  expect(missing.map((field) => `${name}.${field}`).toSorted()).toEqual(notTried.toSorted());

  const alone = Object.entries(values).map(
    ([field, value]) => [[field], { [field]: value, ...beside[field] }] as const,
  );
  const sets = [
    [Object.keys(required).filter((each) => each !== 'token'), {}],
    ...alone,
    [Object.keys(values), values],
  ] as const;
  const unreadable = new Set<string>();
  for (const [api, call] of [
    ['GraphQL', throughGraphQL],
    ['REST', throughRest],
  ] as const) {
    let bare: unknown;
    const refused = new Set<string>();
    for (const [looked, given] of sets) {
      if (looked.length === 0) continue;
      const { token = owner.token, ...made } = await make();
      const before = await heads();
      const taken = Object.entries(given).filter(([field]) => looked.length === 1 || !refused.has(field));
      const input: Input = { ...made, ...Object.fromEntries(taken) };
      const { answer, read, refusal } = await call(name, input, token as string);
      const entries = await entriesSince(before);
      for (const field of looked.filter((each) => each in input && !(isKey(each) && each in made))) {
        const note = (place: string) => unreadable.add(`${name}.${field} ${place}`);
        if (refusal !== undefined) {
          refused.add(field);
          note(`${api} refused ${refusal}`);
          continue;
        }
        if (!says(answer, field, input[field])) note(`${api} answer`);
        else if (looked.length === 1 && says(bare, field, input[field])) note('by itself');
        if (!says(read, field, input[field])) note(`${api} read`);
        if (!entries.some((entry) => isOnRecord(entry, field, input[field]))) note('trail');
      }
      if (Object.keys(given).length === 0) bare = answer;
    }
  }
  const reasons = Object.keys(UNREADABLE).filter((each) => each.startsWith(`${name}.`));
  for (const each of reasons) used.add(each);
  expect([...unreadable].toSorted()).toEqual(reasons.toSorted());
});

test('members are notified of all of it: each notification has its texts', () => gateway.settled());

test('every reason is of a case', () => {
  expect(Object.keys(UNREADABLE).filter((each) => !used.has(each))).toEqual([]);
});
