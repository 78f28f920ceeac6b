import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { composeServices } from '@theguild/federation-composition';
import { buildSchema, parse, type GraphQLUnionType } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, type Person } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway({ config: { federation: true } });
const { viewer, nonMember } = testData;
const incidentId = await buildIncident(gateway.app.database, testData.organizationId);
const id = `Incident:${incidentId}`;

const send = async (query: string, variables: object = {}, { token }: Partial<Person> = viewer, url = gateway.url) => {
  const headers = { 'Content-Type': 'application/json', ...(token && { 'X-Service-Token': token }) };
  const response = await fetch(`${url}/graphql`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ query, variables }) },
  });
  return (await response.json()) as {
    data?: { _entities?: unknown[]; _service?: { sdl: string } };
    errors?: { extensions: { code: string } }[];
  };
};

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) { __typename ... on Incident { id title } ... on Organization { name } } }`;
const entities = (representations: unknown[], person?: Partial<Person>) => send(ENTITIES, { representations }, person);

describe('entities', () => {
  const incident = { __typename: 'Incident', id };

  test('are read by their keys, each as its own type', async () => {
    const organization = { __typename: 'Organization', id: `Organization:${testData.organizationId}` };
    expect(await entities([incident, organization])).toEqual({
      data: {
        _entities: [
          { __typename: 'Incident', id, title: expect.any(String) },
          { __typename: 'Organization', name: expect.any(String) },
        ],
      },
    });
  });

  test.each<[string, unknown]>([
    ['of another organization', { __typename: 'Incident', id }],
    ['of another type', { __typename: 'Organization', id }],
    ['of no type', { id }],
    ['without a key', { __typename: 'Incident' }],
    ['with a key of another kind', { __typename: 'Incident', id: incidentId }],
    ['that does not exist', { __typename: 'Incident', id: 'Incident:9007199254740991' }],
    ['that is a text', id],
    ['that is null in a list', [null]],
  ])('%s are absent, and those beside them are there', async (name, representation) => {
    const caller = name === 'of another organization' ? nonMember : viewer;
    const own = { __typename: 'Organization', id: `Organization:${testData.otherOrganizationId}` };
    const other = caller === nonMember ? own : incident;
    const { data, errors } = await entities([representation, other], caller);
    expect(data).toEqual({ _entities: [null, expect.objectContaining({ __typename: other.__typename })] });
    expect(errors).toMatchObject([{ path: ['_entities', 0], extensions: { code: 'NOT_FOUND' } }]);
  });

  test('need a token', async () => {
    expect(await entities([incident], {})).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  test('are at most 100 in one request, and each counts towards its cost', async () => {
    const many = (count: number) => entities(Array.from({ length: count }, () => incident));
    expect((await many(100)).data?._entities).toHaveLength(100);
    expect(await many(101)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    const fields = Array.from({ length: 40 }, (_, index) => `a${index}: _entities(representations: []) { __typename }`);
    expect(await send(`{ ${fields.join(' ')} }`)).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });
});

test('the schema of the subgraph is for those who may introspect', async () => {
  const sdl = async (url: string) => {
    const codes: unknown[] = [];
    for (const person of [{}, viewer]) {
      const { data, errors } = await send('{ _service { sdl } }', {}, person, url);
      codes.push(data?._service ? 'OK' : errors?.[0]?.extensions.code);
    }
    return codes;
  };
  expect(await sdl(gateway.url)).toEqual(['OK', 'OK']);
  for (const [introspection, refused] of [
    ['token', ['UNAUTHENTICATED', 'OK']],
    ['off', ['UNAUTHENTICATED', 'BAD_USER_INPUT']],
  ] as const) {
    const other = await startGateway({ config: { federation: true, introspection }, database: gateway.database });
    expect(await sdl(other.url)).toEqual(refused);
    await other.close();
  }
});

test('a gateway that is no subgraph has no fields of one', async () => {
  const plain = await startGateway({ database: gateway.database });
  for (const query of ['{ _service { sdl } }', '{ _entities(representations: []) { __typename } }'])
    expect(await send(query, {}, viewer, plain.url)).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  await plain.close();
});

describe('behind a router', () => {
  const RISKS = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])
    type Incident @key(fields: "id") { id: ID! risk: Int! }
    type Query { riskiest: Incident }`;

  let risks: Server;

  /** A subgraph of another team, which adds a field to incidents. */
  async function startRisks(): Promise<string> {
    const schema = buildSchema(
      `type Incident { id: ID! risk: Int! } union _Entity = Incident scalar _Any
       type Query { riskiest: Incident _entities(representations: [_Any!]!): [_Entity]! }`,
    );
    (schema.getType('_Entity') as GraphQLUnionType).resolveType = () => 'Incident';
    const risky = (key: string) => ({ id: key, risk: key.length });
    const rootValue = {
      riskiest: () => risky(id),
      _entities: ({ representations }: { representations: { id: string }[] }) =>
        representations.map((each) => risky(each.id)),
    };
    risks = createServer(createHandler({ schema, rootValue })).listen(0, '127.0.0.1');
    await once(risks, 'listening');
    return `http://127.0.0.1:${(risks.address() as AddressInfo).port}/`;
  }

  let router: ReturnType<typeof createGatewayRuntime>;

  beforeAll(async () => {
    const own = (await send('{ _service { sdl } }')).data?._service?.sdl ?? '';
    const composed = composeServices([
      { name: 'compliance', typeDefs: parse(own), url: `${gateway.url}/graphql` },
      { name: 'risks', typeDefs: parse(RISKS), url: await startRisks() },
    ]);
    expect(composed.errors ?? []).toEqual([]);
    router = createGatewayRuntime({
      ...{ supergraph: composed.supergraphSdl!, logging: false, maskedErrors: false },
      propagateHeaders: {
        fromClientToSubgraphs: ({ request, subgraphName }) =>
          subgraphName === 'compliance' ? { 'x-service-token': request.headers.get('x-service-token') ?? '' } : {},
      },
    });
  });

  afterAll(async () => {
    await router[Symbol.asyncDispose]();
    risks.close();
  });

  async function through(query: string, { token }: Person) {
    const response = await router.fetch('http://router/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Token': token },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as { data: object; errors?: unknown[] };
  }

  test('one request reads an incident here and its field there, in both directions, with the rights of its token', async () => {
    const fromHere = `{ organization(id: ${testData.organizationId}) { incidents(first: 1) { nodes { id title risk } } } }`;
    const risk = id.length;
    expect(await through(fromHere, viewer)).toEqual({
      data: { organization: { incidents: { nodes: [{ id, title: expect.any(String), risk }] } } },
    });
    const fromThere = '{ riskiest { risk title } }';
    expect(await through(fromThere, viewer)).toEqual({ data: { riskiest: { risk, title: expect.any(String) } } });
    const refused = await through(fromThere, nonMember);
    expect(JSON.stringify(refused)).not.toContain('"title":"');
    expect(refused.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});
