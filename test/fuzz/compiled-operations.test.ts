import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seedOrganization } from '../support/seeded-organization.js';

const { gateway, testData } = await startSeededGateway();
const { organizationId, owner } = testData;
const { token } = owner;
const { incidentId, threatBlockerId } = await seedOrganization(gateway.app.database, organizationId, owner);
const { name } = (await gateway.graphql.data(`{ organization(id: ${organizationId}) { name } }`, { token }))
  .organization;

const RUNS = 3;

/** The response of each execution; the same operation is compiled from the second time on. */
async function answersOf(query: string, variables: object = {}): Promise<unknown[]> {
  const answers = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { data, errors } = (await gateway.graphql.call(query, { token, variables })).body;
    answers.push(errors === undefined ? data : { data, code: errors[0]?.extensions.code });
  }
  return answers;
}

const each = (answer: unknown) => Array(RUNS).fill(answer);
const ORGANIZATION = `organization(id: ${organizationId})`;

describe('an operation is answered alike however often it is executed:', () => {
  test('a condition on one spread of a fragment leaves the other spreads alone', async () => {
    const named = { organization: { name } };
    const fragment = 'fragment f on Organization { name }';
    expect(await answersOf(`{ ${ORGANIZATION} { ...f @skip(if: true) ...f } } ${fragment}`)).toEqual(each(named));
    expect(await answersOf(`{ ${ORGANIZATION} { ...f ...f @include(if: false) } } ${fragment}`)).toEqual(each(named));
  });

  test('a condition on a fragment in one place does not act in another', async () => {
    const query = `query ($no: Boolean!) { a: ${ORGANIZATION} { ...f @include(if: $no) } b: ${ORGANIZATION} { ...f } }
      fragment f on Organization { name }`;
    expect(await answersOf(query, { no: false })).toEqual(each({ a: {}, b: { name } }));
  });

  test('a mutation that is spread once with a condition and once without is made each time', async () => {
    const query = `mutation ($b: Boolean!) { ...m @skip(if: $b) ...m } fragment m on Mutation {
      addIncidentNote(input: { organizationId: ${organizationId}, incidentId: ${incidentId}, text: "Seen" })
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
    const query = `query ($id: ID! = ${organizationId}) { organization(id: $id) { name } }`;
    expect(await answersOf(query)).toEqual(each({ organization: { name } }));
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

  test('an absent variable within a literal changes nothing, and null does', async () => {
    const query = `mutation ($d: String) { updateOrganization(input: { organizationId: ${organizationId}, description: $d })
      { organization { description } } }`;
    const described = (description: string | null) => ({ updateOrganization: { organization: { description } } });
    expect(await answersOf(query, { d: 'As it was' })).toEqual(each(described('As it was')));
    expect(await answersOf(query)).toEqual(each(described('As it was')));
    expect(await answersOf(query, { d: null })).toEqual(each(described(null)));
  });

  test('a variable within a literal of JSON is stored', async () => {
    const query = `mutation ($mode: String!) { updateThreatBlocker(input: { threatBlockerId: ${threatBlockerId},
      plugin: { config: { mode: $mode, steps: [$mode] } } }) { threatBlocker { plugin { config } } } }`;
    const answer = { updateThreatBlocker: { threatBlocker: { plugin: { config: { mode: 'on', steps: ['on'] } } } } };
    expect(await answersOf(query, { mode: 'on' })).toEqual(each(answer));
  });
});
