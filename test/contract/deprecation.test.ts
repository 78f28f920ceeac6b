import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  isIntrospectionType,
  printSchema,
} from 'graphql';
import 'reflect-metadata';
import { buildSchema, ObjectType, Resolver } from 'type-graphql';
import { type Deprecatable, deprecated, deprecationOf } from '../../src/common/deprecation.js';
import { partsOf } from '../../src/graphql/deprecations.js';
import { openApiDocument } from '../../src/rest/openapi.js';
import { Arg, Query } from '../../src/resolvers/shared/decorators.js';
import { createSchema } from '../../src/resolvers/index.js';
import { routeDeprecation } from '../../src/rest/deprecation.js';
import type { FileRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { enumeration, Field } from '../../src/schema/shared/types.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { follow, take, TRANSPORTS } from '../support/live.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

/** Parts that are deprecated during this test; the contract has none. */
const LATER = deprecated({ since: '2026-11-01', sunset: '2028-01-31', use: 'Use `status`.' });
const SOONER = deprecated({ since: '2026-12-01', sunset: '2027-12-01', use: 'Use `openedAt`.' });
const HEADERS_LATER = { deprecation: '@1793491200', sunset: 'Mon, 31 Jan 2028 00:00:00 GMT' };
const HEADERS_SOONER = { deprecation: '@1796083200', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' };

const { gateway, testData } = await startSeededGateway();
const { schema } = gateway.app.executor;
const { token } = testData.owner;
const organization = testData.organizationId;

const objectField = (type: string, name: string) => (schema.getType(type) as GraphQLObjectType).getFields()[name]!;
const inputField = (type: string, name: string) => (schema.getType(type) as GraphQLInputObjectType).getFields()[name]!;
const PARTS: [part: Deprecatable, as: { deprecationReason: string }][] = [
  [objectField('Incident', 'significant'), LATER],
  [objectField('Query', 'incident'), LATER],
  [objectField('Notification', 'message'), LATER],
  [objectField('Organization', 'incidents').args.find(({ name }) => name === 'orderBy')!, LATER],
  [inputField('IncidentFilter', 'severity'), SOONER],
  [inputField('UpdateIncidentInput', 'affectsTrustService'), SOONER],
  [(schema.getType('IncidentSeverity') as GraphQLEnumType).getValue('LOW')!, LATER],
];

let byApollo: TestGateway;
let incidentId: number;

beforeAll(async () => {
  byApollo = await startGateway({ database: gateway.database, config: { directOperations: false } });
  const opened = await gateway.rest.call('POST', `/api/v1/v-ciso/incidents/${organization}`, {
    token,
    body: { title: 'One', severity: 'HIGH', significant: false, aware_at: '2026-11-19T08:15:30Z' },
  });
  incidentId = (opened.body as { data: { id: number } }).data.id;
  for (const [part, { deprecationReason }] of PARTS) part.deprecationReason = deprecationReason;
});

afterAll(async () => {
  for (const [part] of PARTS) part.deprecationReason = undefined;
  await byApollo.close();
});

const entry = (coordinate: string, { deprecationReason: reason }: { deprecationReason: string }) => ({
  coordinate,
  reason,
  sunset: deprecationOf({ deprecationReason: reason })!.sunset,
});

describe('a GraphQL answer lists what of its request is deprecated', () => {
  const LIST = (fields: string) => `query List($filter: IncidentFilter) {
    organization(id: ${organization}) { incidents(first: 5, filter: $filter) { nodes { ${fields} } } }
  }`;
  const UPDATE = `mutation Update($input: UpdateIncidentInput!) { updateIncident(input: $input) { incident { id } } }`;

  test.each<[what: string, query: string, variables: object, listed: object[] | undefined]>([
    ['nothing', LIST('title'), {}, undefined],
    ['a field', LIST('title significant'), {}, [entry('Incident.significant', LATER)]],
    [
      'a field in a fragment, once for all of its places',
      `{ organization(id: ${organization}) { incidents { nodes { ...Outer } } } }
       fragment Outer on Incident { title ...Inner ... on Incident { again: significant } }
       fragment Inner on Incident { once: significant }`,
      {},
      [entry('Incident.significant', LATER)],
    ],
    [
      'an argument, and a field and a value in the document',
      `{ organization(id: ${organization}) {
         incidents(orderBy: { field: CREATED_AT, direction: ASC }, filter: { severity: LOW }) { totalCount } } }`,
      {},
      [
        entry('Organization.incidents(orderBy:)', LATER),
        entry('IncidentFilter.severity', SOONER),
        entry('IncidentSeverity.LOW', LATER),
      ],
    ],
    [
      'a field and a value in a variable',
      LIST('title'),
      { filter: { severity: 'LOW' } },
      [entry('IncidentFilter.severity', SOONER), entry('IncidentSeverity.LOW', LATER)],
    ],
    ['a variable without any', LIST('title'), { filter: { status: 'OPEN' } }, undefined],
    [
      'only the operation that is executed',
      `${LIST('title')} query Other { organization(id: 1) { incidents { nodes { significant } } } }`,
      {},
      undefined,
    ],
  ])('%s', async (_what, query, variables, listed) => {
    const operationName = /query (\w+)/.exec(query)?.[1];
    const texts: string[] = [];
    for (const { graphql } of [gateway, byApollo])
      // The second one is compiled.
      for (let time = 1; time <= 3; time += 1) {
        const answer = await graphql.call(query, { token, variables, ...(operationName && { operationName }) });
        expect(answer.body.errors).toBe(undefined);
        expect((answer.body as { extensions?: unknown }).extensions).toEqual(listed && { deprecations: listed });
        texts.push(answer.text);
      }
    expect(new Set(texts).size).toBe(1);
  });

  test('a value in a list of a variable, and one that stands for such a list', async () => {
    const query = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }`;
    const used = async (sectors: unknown) => {
      const variables = { input: { organizationId: String(organization), sectors } };
      const { body } = await gateway.graphql.call(query, { token, variables });
      return [body.errors, (body as { extensions?: { deprecations: unknown } }).extensions?.deprecations];
    };
    const sector = (schema.getType('Sector') as GraphQLEnumType).getValue('AGRICULTURE')!;
    sector.deprecationReason = LATER.deprecationReason;
    try {
      const listed = [undefined, [entry('Sector.AGRICULTURE', LATER)]];
      expect(await used(['BUSINESS_SERVICES', 'AGRICULTURE'])).toEqual(listed);
      expect(await used('AGRICULTURE')).toEqual(listed);
      expect(await used(['BUSINESS_SERVICES'])).toEqual([undefined, undefined]);
    } finally {
      sector.deprecationReason = undefined;
    }
  });

  test('of a mutation, also when a field of it fails', async () => {
    const input = { organizationId: organization, incidentId, affectsTrustService: false };
    for (const { graphql } of [gateway, byApollo]) {
      const [done, failed] = await Promise.all([
        graphql.call(UPDATE, { token, variables: { input } }),
        graphql.call(UPDATE, { token, variables: { input: { ...input, incidentId: 0 } } }),
      ]);
      for (const { body } of [done, failed])
        expect(body).toMatchObject({
          extensions: { deprecations: [entry('UpdateIncidentInput.affectsTrustService', SOONER)] },
        });
      expect([done.body.errors, failed.body.errors?.[0]?.extensions.code]).toEqual([undefined, 'NOT_FOUND']);
    }
  });

  test('of a mutation with a key, and again of its replay', async () => {
    const input = { organizationId: organization, incidentId, affectsTrustService: true };
    const headers = { 'idempotency-key': 'deprecation-test' };
    const send = () => gateway.graphql.call(UPDATE, { token, variables: { input }, headers });
    const [first, again] = [await send(), await send()];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(first.body).toMatchObject({
      data: { updateIncident: {} },
      extensions: { deprecations: [entry('UpdateIncidentInput.affectsTrustService', SOONER)] },
    });
  });

  test('never when nothing was executed', async () => {
    const answer = await gateway.graphql.call('{ incident(id: 1) { nothing } }', { token });
    expect(answer.body).not.toHaveProperty('extensions');
  });

  test.each(TRANSPORTS)('of a subscription over %s, with each result', async (transport) => {
    const query = 'subscription { notificationAdded { message } }';
    const results = follow(gateway, transport, { query, token });
    const first = take(results, 1);
    for (let found = false; !found;)
      found = await Promise.race([
        first.then(() => true),
        gateway.rest
          .call('PATCH', `/api/v1/v-ciso/incidents/${organization}/${incidentId}`, {
            token: testData.manager.token,
            body: { title: `One ${Math.random()}` },
          })
          .then(() => gateway.settled())
          .then(() => false),
      ]);
    expect(await first).toMatchObject([{ extensions: { deprecations: [entry('Notification.message', LATER)] } }]);
    await results.return?.();
  });
});

describe('a REST response reports the deprecation of what was requested', () => {
  const list = `/api/v1/v-ciso/incidents/${organization}`;
  const headersOf = ({ headers }: { headers: Headers }) =>
    Object.fromEntries(
      ['deprecation', 'sunset'].flatMap((name) => (headers.get(name) ? [[name, headers.get(name)!]] : [])),
    );
  const policy = () => `<${gateway.url}/guides/compatibility>`;

  test('of a route, with every answer', async () => {
    const path = `${list}/${incidentId}`;
    const answers = await Promise.all([
      gateway.rest.call('GET', path, { token }),
      gateway.rest.call('HEAD', path, { token }),
      gateway.rest.call('GET', `${list}/0`, { token }),
      gateway.rest.call('GET', path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401]);
    for (const answer of answers) {
      expect(headersOf(answer)).toEqual(HEADERS_LATER);
      expect(answer.headers.get('link')).toBe(
        `${policy()}; rel="deprecation"; type="text/html", ${policy()}; rel="sunset"; type="text/html"`,
      );
    }
  });

  test('of a parameter that was sent, beside the addresses of further pages', async () => {
    await gateway.rest.call('POST', list, {
      token,
      body: { title: 'Two', severity: 'HIGH', significant: false, aware_at: '2026-11-19T08:15:30Z' },
    });
    const plain = await gateway.rest.call('GET', `${list}?limit=1`, { token });
    expect(headersOf(plain)).toEqual({});
    const filtered = await gateway.rest.call('GET', `${list}?limit=1&severity=HIGH`, { token });
    expect(headersOf(filtered)).toEqual(HEADERS_SOONER);
    expect(filtered.headers.get('link')).toContain('rel="sunset"');
    expect(filtered.headers.get('link')).toContain('rel="next"');
  });

  test('of a field of the body that was sent', async () => {
    const change = (body: object) => gateway.rest.call('PATCH', `${list}/${incidentId}`, { token, body });
    expect(headersOf(await change({ title: 'Three' }))).toEqual({});
    expect(headersOf(await change({ affects_trust_service: false }))).toEqual(HEADERS_SOONER);
    expect(headersOf(await change({ severity: 'LOW' }))).toEqual(HEADERS_LATER);
    // The one that goes first.
    expect(headersOf(await change({ severity: 'LOW', affects_trust_service: true }))).toEqual(HEADERS_SOONER);
    expect(headersOf(await change({ affects_trust_service: false, severity: 'LOW' }))).toEqual(HEADERS_SOONER);
  });

  test('of a route that REST alone loses', () => {
    const route = ROUTES.find(({ operationId }) => operationId === 'getInterfaceDescription') as FileRoute;
    const declared = deprecationOf(LATER)!;
    expect(routeDeprecation({ ...route, core: undefined })).toBe(undefined);
    expect(routeDeprecation({ ...route, core: undefined, deprecated: declared })).toBe(declared);
  });

  test('in the interface description: operations, parameters, fields that are sent and answered', () => {
    const document = openApiDocument(schema, { url: gateway.url }) as never as {
      paths: Record<string, Record<string, { deprecated?: true; description: string; parameters: { name: string }[] }>>;
      components: { schemas: Record<string, { properties: Record<string, object> }> };
    };
    const marked = (sunset: string) => ({ deprecated: true, 'x-sunset': sunset });
    const path = '/api/v1/v-ciso/incidents/{organizationid}';
    const get = document.paths[`${path}/{incidentid}`]!['get']!;
    expect(get).toMatchObject(marked('2028-01-31'));
    expect(get.description).toMatch(/Use `status`\. Deprecated since 2026-11-01, may be removed from 2028-01-31 on\.$/);
    const parameters = document.paths[path]!['get']!.parameters;
    expect(parameters.find(({ name }) => name === 'severity')).toMatchObject(marked('2027-12-01'));
    expect(parameters.find(({ name }) => name === 'status')).not.toHaveProperty('deprecated');
    const { Incident, UpdateIncidentInput } = document.components.schemas;
    expect(Incident!.properties['significant']).toMatchObject(marked('2028-01-31'));
    expect(UpdateIncidentInput!.properties['affects_trust_service']).toMatchObject(marked('2027-12-01'));
  });
});

describe('a declaration', () => {
  test('is an option of a field, an argument and a value of an enumeration', async () => {
    const Size = enumeration('DeprecationTestSize', 'A size.', {
      SMALL: 'Small.',
      TINY: { description: 'Tiny.', ...LATER },
    });

    @ObjectType('DeprecationTestThing', { description: 'A thing.' })
    class Thing {
      @Field(() => Size, 'Its size.', { nullable: true, ...SOONER })
      size!: string;
    }

    @Resolver()
    class ThingResolver {
      @Query(() => Thing, 'A thing.', LATER)
      thing(@Arg('name', () => String, 'Its name.', { nullable: true, ...SOONER }) _name: string): object {
        return {};
      }
    }

    const text = printSchema(await buildSchema({ resolvers: [ThingResolver], validate: false }));
    const reasons = [...text.matchAll(/(\w+)[^\n]* @deprecated\(reason: "([^"]+)"\)/g)].map(([, , reason]) => reason);
    expect(reasons.toSorted()).toEqual(
      [LATER, LATER, SOONER, SOONER].map(({ deprecationReason }) => deprecationReason).toSorted(),
    );
  });

  test.each([
    [{ since: '2026-11-25', sunset: '2027-11-24', use: 'Use `a`.' }, 'less than twelve months'],
    [{ since: '2026-02-30', sunset: '2027-11-24', use: 'Use `a`.' }, 'Not a deprecation'],
    [{ since: '2026-11-25', sunset: 'next year', use: 'Use `a`.' }, 'Not a deprecation'],
    [{ since: '2026-11-25', sunset: '2028-1-1', use: 'Use `a`.' }, 'Not a deprecation'],
  ])('is refused when its days are wrong: %j', (declared, sentence) => {
    expect(() => deprecated(declared)).toThrow(sentence);
  });

  test('of twelve months to the day is one', () => {
    const declared = { since: '2026-11-25', sunset: '2027-11-25', use: 'Use `a`.' };
    expect(deprecationOf(deprecated(declared))).toEqual(declared);
  });

  test('stands behind everything in the contract that is deprecated', async () => {
    const types = Object.values((await createSchema()).getTypeMap()).filter((type) => !isIntrospectionType(type));
    for (const [, part] of types.flatMap(partsOf)) expect(() => deprecationOf(part)).not.toThrow();
    expect(() => deprecationOf({ deprecationReason: 'Use another one.' })).toThrow('declared by deprecated()');
  });
});
