import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { seedDemo, type DemoFacts } from '../../src/demo/demo.js';
import { Random } from '../attack/support/random.js';
import { CATALOG } from '../support/catalog.js';
import { FieldByField } from '../support/field-by-field.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { differenceOf } from './compared-answers.js';
import { GeneratedDocuments } from './generated-documents.js';

const gateway = await startSharedGateway();
const { config, database } = gateway;
const facts = (await seedDemo({ databaseUrl: database.url, config, catalog: CATALOG })) as DemoFacts;
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const token = facts.tokens.owner;

const RUNS = 4;

/** What is answered each time; the same operation is compiled from the second time on. */
async function answersOf(query: string, variables: object = {}): Promise<unknown[]> {
  const answers = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { data, errors } = (await gateway.graphql.call(query, { token, variables })).body;
    answers.push(errors === undefined ? data : { data, code: errors[0]?.extensions.code });
  }
  return answers;
}

const each = (answer: unknown) => Array(RUNS).fill(answer);
const ORGANIZATION = `organization(id: ${facts.organization_id})`;

describe('an operation is answered alike however often it is executed:', () => {
  test('a condition on one spread of a fragment leaves the other spreads alone', async () => {
    const name = { organization: { name: 'Valdoria Energia S.p.A.' } };
    const fragment = 'fragment f on Organization { name }';
    expect(await answersOf(`{ ${ORGANIZATION} { ...f @skip(if: true) ...f } } ${fragment}`)).toEqual(each(name));
    expect(await answersOf(`{ ${ORGANIZATION} { ...f ...f @include(if: false) } } ${fragment}`)).toEqual(each(name));
  });

  test('a condition on a fragment in one place does not act in another', async () => {
    const query = `query ($no: Boolean!) { a: ${ORGANIZATION} { ...f @include(if: $no) } b: ${ORGANIZATION} { ...f } }
      fragment f on Organization { infrastructure }`;
    expect(await answersOf(query, { no: false })).toEqual(each({ a: {}, b: { infrastructure: 'HYBRID' } }));
  });

  test('a mutation that is spread once with a condition and once without is made each time', async () => {
    const query = `mutation ($b: Boolean!) { ...m @skip(if: $b) ...m } fragment m on Mutation {
      addIncidentNote(input: { organizationId: ${facts.organization_id}, incidentId: ${facts.incident_id}, text: "Seen" })
        { note { text } } }`;
    expect(await answersOf(query, { b: true })).toEqual(each({ addIncidentNote: { note: { text: 'Seen' } } }));
  });

  test('null is no condition', async () => {
    const query = `query ($a: Boolean = true) { ${ORGANIZATION} { id @skip(if: $a) name } }`;
    const [first, ...others] = await answersOf(query, { a: null });
    expect(first).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(others).toEqual(Array(RUNS - 1).fill(first));
  });

  test('an operation of which nothing is left is answered with nothing', async () => {
    for (const kind of ['query', 'mutation'])
      expect(await answersOf(`${kind} ($no: Boolean = true) { a: __typename @skip(if: $no) }`, { no: true })).toEqual(
        each({}),
      );
  });

  test('a variable that must not be null has its default where it is absent', async () => {
    const query = `query ($id: ID! = ${facts.organization_id}) { organization(id: $id) { infrastructure } }`;
    expect(await answersOf(query)).toEqual(each({ organization: { infrastructure: 'HYBRID' } }));
  });

  test('the default of a variable that is an instant is one', async () => {
    const query = 'query ($until: DateTime = "2100-01-01T00:00:00Z") { work(dueBefore: $until) { totalCount } }';
    const [first, ...others] = await answersOf(query);
    expect(first).toEqual({ work: { totalCount: expect.any(Number) } });
    expect(others).toEqual(Array(RUNS - 1).fill(first));
  });

  test('a list is no filter', async () => {
    const query = `query ($filter: IncidentFilter) { ${ORGANIZATION} { incidents(filter: $filter) { totalCount } } }`;
    expect(await answersOf(query, { filter: [] })).toEqual(each({ code: 'BAD_USER_INPUT' }));
  });

  test('null in the place of a field that must not be null is refused', async () => {
    const query = `query ($field: IncidentSortField = SEVERITY) {
      ${ORGANIZATION} { incidents(orderBy: { field: $field }) { totalCount } } }`;
    const refused = { data: { organization: null }, code: 'BAD_USER_INPUT' };
    expect(await answersOf(query, { field: null })).toEqual(each(refused));
  });

  test('null in the place of an argument that must not be null is refused', async () => {
    const query = 'query ($id: ID = 1) { organization(id: $id) { name } }';
    const refused = { data: { organization: null }, code: 'BAD_USER_INPUT' };
    expect(await answersOf(query, { id: null })).toEqual(each(refused));
  });

  test('a variable within a literal of JSON is stored', async () => {
    const query = `mutation ($mode: String!) { updateThreatBlocker(input: { threatBlockerId: ${facts.atb_id},
      plugin: { config: { mode: $mode, steps: [$mode] } } }) { threatBlocker { plugin { config } } } }`;
    const answer = { updateThreatBlocker: { threatBlocker: { plugin: { config: { mode: 'on', steps: ['on'] } } } } };
    expect(await answersOf(query, { mode: 'on' })).toEqual(each(answer));
  });
});

describe('generated documents', () => {
  const expected = new FieldByField(schema, async (query) => (await gateway.graphql.call(query, { token })).body);

  test.each(['with conditions', 'without conditions'] as const)(
    '%s are answered four times as graphql-js answers them field by field',
    async (conditions) => {
      const documents = new GeneratedDocuments(schema, new Random(20_261_125), facts, conditions);
      const differences: string[] = [];
      for (let count = 0; count < 40; count += 1) {
        const difference = await differenceOf(documents.next(), expected, async (query, variables, operationName) => {
          const named = operationName === undefined ? {} : { operationName };
          return (await gateway.graphql.call(query, { token, variables, ...named })).body;
        });
        if (difference !== undefined) differences.push(difference);
      }
      expect(differences).toEqual([]);
    },
  );
});
