import { describe, expect, test } from '@jest/globals';
import { buildSchema, getNamedType, isInputObjectType, isRequiredInputField, type GraphQLInputType } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildCloudDefender, buildIncident, buildThreatBlocker, buildWorkflow } from '../support/test-data.js';
import { expectBadInput, expectComposed, expectInvalid, expectRefused, fingerprint } from './answers.js';
import {
  fieldsWithArguments,
  MARKER,
  MEGABYTE,
  valuesInTurn,
  withText,
  wrongInputs,
  type CalledField,
} from './fields.js';

const SCHEMA = resolve(import.meta.dirname, '../../schema.graphql');
const fields = fieldsWithArguments(buildSchema(readFileSync(SCHEMA, 'utf8')));

const { gateway, testData } = await startSeededGateway();
for (const build of [buildIncident, buildCloudDefender, buildThreatBlocker])
  await build(gateway.app.database, testData.organizationId);
await buildWorkflow(gateway.app.database, testData.organizationId, 'nis2-directive');

const send = (query: string, variables: object) =>
  gateway.graphql.call(query, { token: testData.owner.token, variables });

/** The fingerprint before the first request: all of them are refused. */
let stored: string;

/** Runs refused requests, and expects that they have stored nothing. */
async function leavingAllAsItIs(work: () => Promise<void>): Promise<void> {
  stored ??= await fingerprint(gateway.app.database);
  await work();
  expect(await fingerprint(gateway.app.database)).toBe(stored);
}

async function collectingErrors(cases: { what: string; check: () => Promise<void> }[]): Promise<void> {
  expect(cases).not.toEqual([]);
  const failures: string[] = [];
  for (const { what, check } of cases) {
    await check().catch((error: Error) => failures.push(`${what}: ${error.message.slice(0, 1_500)}`));
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${cases.length} failed:\n${failures.slice(0, 5).join('\n\n')}`);
}

test('the values below reach all fields that take arguments', () => {
  expect(fields.length).toBeGreaterThan(25);
});

/** Every value in every place is tested by `npm run test:attack -- --only values`. */
const choice = valuesInTurn();

test.each(fields)('a wrong type in any place of $name is refused and never repeated', (field) =>
  leavingAllAsItIs(() =>
    collectingErrors(
      wrongInputs(field, choice).map(({ what, variables }) => ({
        what,
        check: async () => expectBadInput(await send(field.query, variables)),
      })),
    ),
  ),
);

test.each(fields)('a wrong type in $name is refused in the same words when the operation is known', async (field) => {
  const [wrong] = wrongInputs(field, choice);
  const [first, second] = [await send(field.query, wrong!.variables), await send(field.query, wrong!.variables)];
  expectBadInput(second);
  expect(second.text).toBe(first.text);
});

/** Required values of an input beside ids that its type does not express. */
const NEEDED: Record<string, object> = { UpdateControlsInput: { controlIds: ['A.5.1'], changes: { note: 'x' } } };

/** An input with this value as every required id, and with other required values. */
function idsOf(type: GraphQLInputType, id: number): Record<string, unknown> {
  const named = getNamedType(type);
  const values: Record<string, unknown> = { ...NEEDED[named.name] };
  for (const field of isInputObjectType(named) ? Object.values(named.getFields()) : []) {
    if (field.type.toString() === 'ID!' || field.name === 'organizationId') values[field.name] = String(id);
  }
  return values;
}

/** Whether an input consists of ids only. */
function isNamedByIds(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  const selection = isInputObjectType(named) ? Object.values(named.getFields()).filter(isRequiredInputField) : [];
  return selection.length > 0 && selection.every((field) => field.type.toString() === 'ID!');
}

/** Required values of an input besides its ids: its shape is checked before any look-up. */
const FORMS: Readonly<Record<string, object>> = {
  'Mutation.updateControls': { controlIds: ['20.1'], changes: {} },
};

describe('ids that name nothing', () => {
  test.each([-1, 0, -2147483648, 2147483647])('%i is not found, in any place', (id) =>
    leavingAllAsItIs(() =>
      collectingErrors(
        fields
          .filter(
            ({ args, name }) =>
              args.some((arg) => arg.name === 'id' && arg.type.toString() === 'ID!') ||
              (name.startsWith('Mutation.') && args.every(({ type }) => isNamedByIds(type))),
          )
          .map((field) => ({
            what: field.name,
            check: async () => {
              const variables = Object.fromEntries(
                field.args.map(({ name, type }) => [
                  name,
                  name === 'input'
                    ? { ...(idsOf(type, id) as object), ...FORMS[field.name] }
                    : type.toString() === 'ID!'
                      ? String(id)
                      : null,
                ]),
              );
              const answer = await send(field.query, variables);
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
  type Check = (field: CalledField, variables: Record<string, unknown>) => Promise<void>;

  /** One text in each place: all of them are refused by the same code. */
  const inTurn = (check: Check) =>
    leavingAllAsItIs(() =>
      collectingErrors(
        fields.flatMap((field, at) => {
          const text = UNSTORABLE[at % UNSTORABLE.length] as string;
          return withText(field, text).map(({ what, variables }) => ({
            what: `${field.name} ${what} ${JSON.stringify(text)}`,
            check: () => check(field, variables),
          }));
        }),
      ),
    );

  test('in variables of a body is refused', () =>
    inTurn(async (field, variables) => expectBadInput(await send(field.query, variables))));

  test('in variables of a GET is refused', () =>
    inTurn(async (field, variables) => {
      if (field.query.startsWith('mutation')) return;
      const search = new URLSearchParams({ query: field.query, variables: JSON.stringify(variables) });
      const headers = { 'X-Service-Token': testData.owner.token, 'apollo-require-preflight': '1' };
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
      expectInvalid(answer);
    }));

  test('in variables of a multipart request is refused', () =>
    inTurn(async (field, variables) => {
      const form = new FormData();
      form.set('operations', JSON.stringify({ query: field.query, variables }));
      form.set('map', '{}');
      const headers = { 'X-Service-Token': testData.owner.token, 'apollo-require-preflight': '1' };
      const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: form });
      const text = await response.text();
      expectInvalid({
        status: response.status,
        headers: response.headers,
        text,
        body: JSON.parse(text),
        requestId: '',
        story: text,
      });
    }));

  test('in the document itself is refused', () =>
    inTurn(async (field, variables) => {
      const literals = field.args
        .filter(({ name }) => variables[name] !== undefined)
        .map(({ name, type }) => `${name}: ${literal(variables[name], type.toString())}`);
      const query = field.query
        .replace(/^(\w+) \(.*?\) \{/, '$1 {')
        .replace(/\([^()]*\$[^()]*\)/, literals.length > 0 ? `(${literals.join(', ')})` : '');
      expectRefused(await send(query, {}));
    }));
});

/** GraphQL's spelling of a value; `field` is the only enumeration that occurs. */
function literal(value: unknown, type: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, type)).join(', ')}]`;
  if (typeof value === 'string' && /Field|Direction|Enum|Status|Type/.test(type)) return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const parts = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${parts.map(([key, item]) => `${key}: ${key === 'field' ? String(item) : literal(item, '')}`).join(', ')}}`;
}

describe('a text of a megabyte', () => {
  // In one place of each field, rotated; the campaign tests every place.
  test('is refused, or finds nothing', () =>
    collectingErrors(
      fields.flatMap((field, at) => {
        const places = withText(field, MEGABYTE);
        const { what, variables } = places[at % places.length] ?? {};
        if (variables === undefined) return [];
        const check = async () => {
          const answer = await send(field.query, variables);
          expectComposed(answer);
          expect(answer.text.length).toBeLessThan(10_000);
          expect(answer.text).not.toContain(MARKER);
        };
        return [{ what: `${field.name} ${what}`, check }];
      }),
    ));
});

test('the gateway answers after all of these', async () => {
  const { viewer } = await gateway.graphql.data('{ viewer { user { id: databaseId } } }', {
    token: testData.owner.token,
  });
  expect(viewer.user.id).toBe(testData.owner.id);
});
