import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestGateway } from '../support/gateway.js';
import type { TestData } from '../support/test-data.js';

/**
 * Tests of malicious documents. The gateway is imported late, because some libraries read NODE_ENV when they are
 * loaded: the cases run with and without NODE_ENV=production.
 */
export function documentCases(): void {
  let gateway: TestGateway;
  let closed: TestGateway;
  let testData: TestData;
  let expectBadInput: typeof import('./answers.js').expectBadInput;
  let expectRefused: typeof import('./answers.js').expectRefused;

  beforeAll(async () => {
    const { startGateway } = await import('../support/gateway.js');
    const { seedTestData } = await import('../support/test-data.js');
    ({ expectBadInput, expectRefused } = await import('./answers.js'));
    gateway = await startGateway();
    closed = await startGateway({ config: { introspection: 'off' }, database: gateway.database });
    testData = await seedTestData(gateway.app.database);
  });

  afterAll(async () => {
    await closed?.close();
    await gateway?.close();
  });

  const send = (query: string, variables?: object) =>
    gateway.graphql.call(query, { token: testData.owner.token, ...(variables && { variables }) });

  /** Refused with a sentence that names the limit, each time; without a token the missing token is reported. */
  async function isRefused(query: string, sentence: RegExp | string, variables?: object) {
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(query, variables);
      expectBadInput(answer);
      expect(answer.body.errors?.[0]?.extensions.messages[0]).toEqual(expect.stringMatching(sentence));
    }
    const anonymous = await gateway.graphql.call(query, variables && { variables });
    expectRefused(anonymous);
    expect([400, 401]).toContain(anonymous.status);
  }

  describe('depth', () => {
    /** Nested incidents, nodes and organizations: the number of levels, the last one with scalar fields. */
    const query = (levels: number) => {
      const cycle = ['incidents(first: 1)', 'nodes', 'organization'];
      const names = Array.from({ length: levels - 2 }, (_, index) => cycle[index % 3] ?? '');
      const leaf = names.at(-1) === cycle[0] ? '{ totalCount }' : '{ id }';
      return `{ organization(id: ${testData.organizationId}) ${names.reduceRight((set, name) => `{ ${name} ${set} }`, leaf)} }`;
    };

    test('15 levels are answered, 16 are refused', async () => {
      expect((await send(query(15))).body.errors).toBeUndefined();
      await isRefused(query(16), /^The document exceeds the limit of 15 levels$/);
      await isRefused(query(200), /^The document exceeds the limit of 15 levels$/);
    });

    test('is counted through fragments', async () => {
      const fragments = Array.from(
        { length: 8 },
        (_, n) =>
          `fragment F${n} on Organization { incidents(first: 1) { nodes { organization { ${n < 7 ? `...F${n + 1}` : 'id'} } } } }`,
      );
      await isRefused(`{ organization(id: 1) { ...F0 } } ${fragments.join(' ')}`, /limit of 15 levels/);
    });
  });

  describe('width', () => {
    test('50 aliases are answered, 51 are refused', async () => {
      const query = (count: number) =>
        `{ viewer { user { ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} } } }`;
      expect((await send(query(50))).body.errors).toBeUndefined();
      await isRefused(query(51), /^The document exceeds the limit of 50 aliases$/);
    });

    test('20 root fields are answered, 21 are refused', async () => {
      const query = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `a${n}: __typename`).join(' ')} }`;
      expect((await send(query(20))).body.errors).toBeUndefined();
      await isRefused(query(21), /^The document exceeds the limit of 20 root fields$/);
    });

    test('50 directives are answered, 51 are refused', async () => {
      const query = (count: number) => `{ viewer { user { ${'id @include(if: true) '.repeat(count)} } } }`;
      expect((await send(query(50))).body.errors).toBeUndefined();
      await isRefused(query(51), /^The document exceeds the limit of 50 directives$/);
    });

    test('50 repetitions of a field are answered, 51 are refused', async () => {
      const query = (count: number) => `{ viewer { user { id ${'id '.repeat(count)} } } }`;
      expect((await send(query(50))).body.errors).toBeUndefined();
      await isRefused(query(51), /^The document exceeds the limit of 50 repeated fields$/);
      await isRefused(`{ viewer { ${'user { id } '.repeat(990)} } }`, /limit of 50 repeated fields/);
    });

    test('a fragment that is spread nowhere is subject to the same limits', async () => {
      const unused = (set: string) => `{ __typename } fragment Unused on Organization { ${set} }`;
      const aliases = Array.from({ length: 300 }, (_, n) => `a${n}: incidents { totalCount }`).join(' ');
      await isRefused(unused(aliases), /^The document exceeds the limit of 50 aliases$/);
      await isRefused(unused('a: incidents { totalCount } '.repeat(300)), /limit of 50/);
    });

    test('50 operations and 100 fragments are read, one more is refused', async () => {
      const operations = (count: number) =>
        Array.from({ length: count }, (_, n) => `query Q${n} { __typename }`).join(' ');
      const fragments = (count: number) =>
        `{ ${Array.from({ length: count }, (_, n) => `...F${n}`).join(' ')} } ${Array.from({ length: count }, (_, n) => `fragment F${n} on Query { __typename }`).join(' ')}`;
      await isRefused(operations(51), /^The document exceeds the limit of 50 operations$/);
      await isRefused(fragments(101), /^The document exceeds the limit of 100 fragments$/);
      expect((await send(operations(50))).body.errors?.[0]?.message).toMatch(/must have one operation/);
      expect((await send(fragments(100).replace(/__typename/g, '__typename'))).body.errors?.[0]?.message).toMatch(
        /root fields/,
      );
    });

    test('4,000 tokens are read, 4,001 are not', async () => {
      const query = (tokens: number) => `{ viewer { user { ${'id '.repeat(tokens - 8)}} } }`.replace(/ +/g, ' ');
      expect((await send(query(4_001))).body.errors?.[0]?.message).toMatch(
        /^The document exceeds the limit of 4000 tokens$/,
      );
      expect((await send(query(4_000))).body.errors?.[0]?.message ?? '').not.toMatch(/not valid GraphQL/);
    });

    test('a document of 1 MB is refused by its length', async () => {
      await isRefused(
        `{ __typename } #${'x'.repeat(1_000_000)}`,
        /^(?:The document exceeds the limit of 100000 characters|The body must not be larger than 1048576 bytes)$/,
      );
      await isRefused(
        `{ __typename } #${'x'.repeat(100_000)}`,
        /^The document exceeds the limit of 100000 characters$/,
      );
    });
  });

  describe('fragments', () => {
    test('in circles are refused', async () => {
      await isRefused('{ viewer { ...A } } fragment A on Viewer { ...A }', /within itself/);
      await isRefused(
        '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { user { id } ...A }',
        /within itself/,
      );
      await isRefused('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A __typename }', /within itself/);
    });

    test('that double with each level are refused at once', async () => {
      const fragments = Array.from(
        { length: 40 },
        (_, n) => `fragment F${n} on User { ${n < 39 ? `...F${n + 1} ...F${n + 1}` : 'a: id'} }`,
      );
      await isRefused(`{ viewer { user { ...F0 } } } ${fragments.join(' ')}`, /exceeds the limit of 50 aliases/);
    });

    test('that double without aliases are refused by their cost', async () => {
      const fragments = Array.from(
        { length: 40 },
        (_, n) => `fragment F${n} on User { ${n < 39 ? `...F${n + 1} ...F${n + 1}` : 'id'} }`,
      );
      const answer = await send(`{ viewer { user { ...F0 } } } ${fragments.join(' ')}`);
      expectBadInput(answer);
    });
  });

  describe('cost', () => {
    const QUERY =
      'query ($n: Int) { viewer { organizations(first: $n) { nodes { organization { incidents(first: $n) { nodes { title status severity awareAt } } } } } } }';

    test('counts pages that are requested in literals', async () => {
      const literal = (n: number) => QUERY.replace('query ($n: Int) ', '').replaceAll('$n', String(n));
      expect((await send(literal(50))).body.errors).toBeUndefined();
      await isRefused(literal(100), /^The operation exceeds the cost limit of 30000: ask for fewer fields/);
    });

    test('counts pages that are requested in variables, and what is no number as the largest', async () => {
      expect((await send(QUERY, { n: 50 })).body.errors).toBeUndefined();
      // The same document again, from the cache.
      await isRefused(QUERY, /^The operation exceeds the cost limit of 30000: ask for fewer fields/, { n: 100 });
      await isRefused(QUERY, /cost limit/, { n: 2147483647 });
      await isRefused(QUERY, /cost limit/, {});
      await isRefused(QUERY, /cost limit/, { n: null });
    });

    test('is not made smaller by negative sizes or by names of operations', async () => {
      const two = `${QUERY.replace('query', 'query A')} query B { __typename }`;
      for (const variables of [{ n: 100 }, { n: 1e9 }]) {
        const response = await fetch(`${gateway.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'X-Service-Token': testData.owner.token },
          body: JSON.stringify({ query: two, operationName: 'A', variables }),
        });
        expect(response.status).toBe(400);
      }
    });
  });

  describe('batches', () => {
    test('are refused', async () => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-Service-Token': testData.owner.token },
        body: JSON.stringify(Array.from({ length: 100 }, () => ({ query: '{ __typename }' }))),
      });
      expect(response.status).toBe(400);
    });
  });

  describe('introspection', () => {
    const SCHEMA = '{ __schema { types { name fields { name args { name type { name ofType { name } } } } } } }';

    test('is answered where it is on', async () => {
      const { __schema } = (await send(SCHEMA)).body.data;
      expect(__schema.types.length).toBeGreaterThan(50);
    });

    test('that nests introspection again and again is refused', async () => {
      let set = '{ name }';
      for (let level = 0; level < 12; level += 1) set = `{ fields { type ${set} } }`;
      const answer = await send(`{ __schema { types ${set} } }`);
      expectBadInput(answer);
    });

    test('is refused where it is off, and nothing is suggested', async () => {
      const { token } = testData.owner;
      for (const query of [SCHEMA, '{ __type(name: "Query") { name } }']) {
        const answer = await closed.graphql.call(query, { token });
        expectBadInput(answer);
        expect(answer.text).not.toMatch(/viewer|ApiToken|Organization/);
      }
      for (const query of [
        '{ viewr { user { id } } }',
        '{ organisation(id: 1) { id } }',
        '{ organization(idd: 1) { id } }',
        '{ viewer { usr { id } } }',
      ]) {
        const answer = await closed.graphql.call(query, { token });
        expectBadInput(answer);
        expect(answer.text).not.toMatch(/did you mean/i);
      }
      expect((await closed.graphql.call('{ __typename }')).body.data).toEqual({ __typename: 'Query' });
    });
  });

  test('afterwards the gateway lives and answers', async () => {
    const { viewer } = await gateway.graphql.data('{ viewer { user { id: databaseId } } }', {
      token: testData.owner.token,
    });
    expect(viewer.user.id).toBe(testData.owner.id);
  });
}
