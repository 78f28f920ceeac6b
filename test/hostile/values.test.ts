import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isRequiredInputField, type GraphQLInputType } from 'graphql';
import { startGateway, type TestGateway } from '../support/gateway.js';
import {
  buildCloudDefender,
  buildIncident,
  buildThreatBlocker,
  buildWorkflow,
  buildWorld,
  type World,
} from '../support/world.js';
import { expectBadInput, expectComposed, expectFaulty, expectRefused, fingerprint, MARKER } from './answers.js';
import { fieldsWithArguments, withText, wrongInputs, type CalledField } from './fields.js';

let gateway: TestGateway;
let world: World;
let fields: CalledField[];

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  world = await buildWorld(database);
  await buildIncident(database, world.organizationId);
  await buildCloudDefender(database, world.organizationId);
  await buildThreatBlocker(database, world.organizationId);
  await buildWorkflow(database, world.organizationId, 'nis2-directive');
  fields = fieldsWithArguments(gateway.app.engine.schema);
});

afterAll(() => gateway?.close());

const ask = (query: string, variables: object) => gateway.graphql.call(query, { token: world.owner.token, variables });

/** Runs what is refused, and demands that nothing was stored by it. */
async function leavingAllAsItIs(work: () => Promise<void>): Promise<void> {
  const before = await fingerprint(gateway.app.database);
  await work();
  expect(await fingerprint(gateway.app.database)).toBe(before);
}

async function collectingFaults(cases: { what: string; check: () => Promise<void> }[]): Promise<void> {
  expect(cases).not.toEqual([]);
  const faults: string[] = [];
  for (const { what, check } of cases) {
    await check().catch((error: Error) => faults.push(`${what}: ${error.message.slice(0, 1_500)}`));
  }
  if (faults.length > 0)
    throw new Error(`${faults.length} of ${cases.length} broke the law:\n${faults.slice(0, 5).join('\n\n')}`);
}

test('the values below reach all fields that take arguments', () => {
  expect(fields.length).toBeGreaterThan(25);
});

test(
  'a wrong type in any place of any input is refused, in the same words each time, and never repeated',
  () =>
    leavingAllAsItIs(() =>
      collectingFaults(
        wrongInputs(fields).map(({ field, what, variables }) => ({
          what,
          check: async () => {
            const interpreted = await ask(field.query, variables);
            const compiled = await ask(field.query, variables);
            expectBadInput(compiled);
            expect(compiled.text).toBe(interpreted.text);
          },
        })),
      ),
    ),
  300_000,
);

/** An input in which every id is this one, and whatever else has to be named is it as text. */
function idsOf(type: GraphQLInputType, id: number): Record<string, number | string> {
  const named = getNamedType(type);
  const values: Record<string, number | string> = {};
  for (const field of isInputObjectType(named) ? Object.values(named.getFields()) : []) {
    if (field.type.toString() === 'Int!') values[field.name] = id;
    if (field.type.toString() === 'ID!') values[field.name] = String(id);
  }
  return values;
}

/** Whether ids are all that an input has to say. */
function isNamedByIds(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  const asked = isInputObjectType(named) ? Object.values(named.getFields()).filter(isRequiredInputField) : [];
  return asked.length > 0 && asked.every((field) => /^(?:Int|ID)!$/.test(field.type.toString()));
}

describe('ids that name nothing', () => {
  test.each([-1, 0, -2147483648, 2147483647])('%i is not found, in any place', (id) =>
    leavingAllAsItIs(() =>
      collectingFaults(
        fields
          .filter(
            ({ args, name }) =>
              args.some((arg) => arg.name === 'id' && arg.type.toString() === 'Int!') ||
              (name.startsWith('Mutation.') && args.every(({ type }) => isNamedByIds(type))),
          )
          .map((field) => ({
            what: field.name,
            check: async () => {
              const variables = Object.fromEntries(
                field.args.map(({ name, type }) => [
                  name,
                  name === 'input' ? idsOf(type, id) : type.toString() === 'Int!' ? id : null,
                ]),
              );
              const answer = await ask(field.query, variables);
              expectRefused(answer);
              expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND', messages: [1004] });
            },
          })),
      ),
    ),
  );
});

/** A NUL character, halves of surrogate pairs, and both in the middle of a text. */
const UNSTORABLE = ['\0', `${MARKER}\0x`, '\ud800', '\udc00a', `a\udfff\ud800`];

describe('text that cannot be stored', () => {
  const cases = (check: (field: CalledField, variables: Record<string, unknown>) => Promise<void>) =>
    leavingAllAsItIs(() =>
      collectingFaults(
        fields.flatMap((field) =>
          UNSTORABLE.flatMap((text) =>
            withText(field, text).map(({ what, variables }) => ({
              what: `${field.name} ${what} ${JSON.stringify(text)}`,
              check: () => check(field, variables),
            })),
          ),
        ),
      ),
    );

  test(
    'in variables of a body is refused',
    () => cases(async (field, variables) => expectBadInput(await ask(field.query, variables))),
    120_000,
  );

  test(
    'in variables of a GET is refused',
    () =>
      cases(async (field, variables) => {
        if (field.query.startsWith('mutation')) return;
        const search = new URLSearchParams({ query: field.query, variables: JSON.stringify(variables) });
        const headers = { 'X-Service-Token': world.owner.token, 'apollo-require-preflight': '1' };
        const response = await fetch(`${gateway.url}/graphql?${search.toString()}`, { headers });
        const text = await response.text();
        const answer = {
          status: response.status,
          headers: response.headers,
          text,
          body: JSON.parse(text),
          requestId: '',
          story: text,
        };
        expectFaulty(answer);
      }),
    120_000,
  );

  test(
    'in variables of a multipart request is refused',
    () =>
      cases(async (field, variables) => {
        const form = new FormData();
        form.set('operations', JSON.stringify({ query: field.query, variables }));
        form.set('map', '{}');
        const headers = { 'X-Service-Token': world.owner.token, 'apollo-require-preflight': '1' };
        const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: form });
        const text = await response.text();
        expectFaulty({
          status: response.status,
          headers: response.headers,
          text,
          body: JSON.parse(text),
          requestId: '',
          story: text,
        });
      }),
    120_000,
  );

  test(
    'in the document itself is refused',
    () =>
      cases(async (field, variables) => {
        const literals = field.args
          .filter(({ name }) => variables[name] !== undefined)
          .map(({ name, type }) => `${name}: ${literal(variables[name], type.toString())}`);
        const query = field.query
          .replace(/^(\w+) \(.*?\) \{/, '$1 {')
          .replace(/\([^()]*\$[^()]*\)/, literals.length > 0 ? `(${literals.join(', ')})` : '');
        expectRefused(await ask(query, {}));
      }),
    120_000,
  );
});

/** GraphQL's spelling of a value; enumerations do not occur in what is given here but for `field`. */
function literal(value: unknown, type: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, type)).join(', ')}]`;
  if (typeof value === 'string' && /Field|Direction|Enum|Status|Type/.test(type)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const parts = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${parts.map(([key, item]) => `${key}: ${key === 'field' ? String(item) : literal(item, '')}`).join(', ')}}`;
}

describe('a text of a megabyte', () => {
  test(
    'in any place is composed with: refused, or not found',
    () =>
      collectingFaults(
        fields.flatMap((field) =>
          withText(field, MARKER.repeat(125_000)).map(({ what, variables }) => ({
            what: `${field.name} ${what}`,
            check: async () => {
              const answer = await ask(field.query, variables);
              expectComposed(answer);
              expect(answer.text.length).toBeLessThan(10_000);
              expect(answer.text).not.toContain(MARKER);
            },
          })),
        ),
      ),
    60_000,
  );
});

test('afterwards the gateway lives and answers', async () => {
  const { viewer } = await gateway.graphql.data('{ viewer { user { id } } }', { token: world.owner.token });
  expect(viewer.user.id).toBe(world.owner.id);
});
