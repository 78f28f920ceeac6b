import { beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startTwoGateways } from '../support/watched-gateway.js';
import { type TestGateway } from '../support/gateway.js';
import { follow, take, TRANSPORTS, type Transport } from '../support/live.js';
import type { GraphQLResult } from '../support/clients.js';
import { until } from '../support/until.js';
import { buildOrganization, buildPerson, seedTestData, join, type Person } from '../support/test-data.js';

const [first, second] = await startTwoGateways();
const testData = await seedTestData(first.app.database);
const elsewhere = await buildOrganization(first.app.database, 'Elsewhere');
let person: Person;

const sql = <Row extends object>(text: string, values: unknown[] = []) => first.app.database.rows<Row>(text, values);

beforeEach(async () => {
  person = await buildPerson(first.app.database, 'follower');
  await join(first.app.database, person, testData.organizationId, 'VIEWER');
  await join(first.app.database, person, elsewhere, 'VIEWER');
});

const INSERT = `insert into notification (user_id, organization_id, title, message, type, action, icon, href)
  select $1, $2, title, 'Message', 'SYSTEM', 'OPEN', 'fa fa-bell', '/somewhere' from unnest($3::text[]) with ordinality t(title, n)
   order by n returning id`;
const notify = async (titles: string[], organizationId = testData.organizationId, { id } = person): Promise<number[]> =>
  (await sql<{ id: number }>(INSERT, [id, organizationId, titles])).map((row) => row.id);

const ADDED = `subscription ($organizationId: ID, $afterDatabaseId: SafeInt) {
  notificationAdded(organizationId: $organizationId, afterDatabaseId: $afterDatabaseId) { id: databaseId title organization { id: databaseId name } } }`;
const open = (
  transport: Transport,
  { gateway = second, query = ADDED, token = person.token, ...variables }: Record<string, unknown> = {},
) =>
  follow(gateway as TestGateway, transport, {
    query: query as string,
    token: token as string,
    variables,
  });
const titles = (results: GraphQLResult[]) => results.map(({ data }) => data.notificationAdded.title);
const codes = (results: GraphQLResult[]) =>
  results.map(({ errors }) => {
    if (errors?.[0] === undefined) return undefined;
    const { code, messages } = errors[0].extensions;
    return { code, messages };
  });

/** Notifications from before a subscription is known to exist: the last one is returned as `since`. */
const begin = async () => (await notify(['before']))[0]!;

describe.each(TRANSPORTS)('over %s', (transport) => {
  test('brings each new notification of the caller once, in order, whichever instance it was made through', async () => {
    const results = open(transport, { afterDatabaseId: await begin() });
    await notify(['one']);
    expect(titles(await take(results, 1))).toEqual(['one']);
    await second.app.database.rows(INSERT, [person.id, testData.organizationId, ['two', 'three']]);
    await notify(['not mine'], testData.organizationId, testData.owner);
    await notify(['four'], elsewhere);
    expect(titles(await take(results, 3))).toEqual(['two', 'three', 'four']);
    await results.return?.();
  });

  test('shows every requested field, as the list does', async () => {
    const fields =
      'id: databaseId title message type action read datetime icon extra { href } organization { id: databaseId name logo contacts { name } users { totalCount } }';
    const since = await begin();
    await sql(`update membership set role = 'SECURITY_OFFICER' where user_id = $1`, [person.id]);
    const results = open(transport, {
      query: `subscription ($afterDatabaseId: SafeInt) { notificationAdded(afterDatabaseId: $afterDatabaseId) { ${fields} } }`,
      afterDatabaseId: since,
    });
    const [id] = await notify(['whole']);
    const [{ data }] = (await take(results, 1)) as [GraphQLResult];
    const list = await second.graphql.data(`query ($id: ID!) { notification(id: $id) { ${fields} } }`, {
      token: person.token,
      variables: { id },
    });
    expect(data.notificationAdded).toEqual(list.notification);
    await results.return?.();
  });

  test('begins with what was made since an id, page after page, and goes on without a gap', async () => {
    const since = await begin();
    const made = await notify(Array.from({ length: 250 }, (_, index) => `old ${index}`));
    const results = open(transport, { afterDatabaseId: since });
    const some = await take(results, 120);
    made.push(...(await notify(['new 1', 'new 2'])));
    const rest = await take(results, 132);
    expect([...some, ...rest].map(({ data }) => data.notificationAdded.id)).toEqual(made);
    await results.return?.();
  });

  test('begins with nothing old when no id is given', async () => {
    await notify(['old']);
    const results = open(transport);
    const next = take(results, 1);
    // Its existence is not visible from outside: creates notifications until the first arrives.
    let count = 0;
    let isThere = false;
    void next.then(() => (isThere = true));
    while (!isThere) await notify([`new ${(count += 1)}`]);
    expect(titles(await next)[0]).toMatch(/^new /);
    await results.return?.();
  });

  test('brings what is made from now on behind an id that there is not, as after a restored backup', async () => {
    const results = open(transport, { afterDatabaseId: (await begin()) + 1_000_000 });
    const next = take(results, 1);
    let isThere = false;
    void next.then(() => (isThere = true));
    await until(async () => {
      await notify(['new']);
      return isThere;
    });
    expect(titles(await next)).toEqual(['new']);
    await results.return?.();
  });

  test('brings those of one organization where one is named', async () => {
    const results = open(transport, { afterDatabaseId: await begin(), organizationId: elsewhere });
    await notify(['here']);
    await notify(['there'], elsewhere);
    expect(titles(await take(results, 1))).toEqual(['there']);
    await results.return?.();
  });

  test('waits for a transaction that began first, and does not pass it by', async () => {
    const results = open(transport, { afterDatabaseId: await begin() });
    const clients = await Promise.all(
      [0, 1].map(async () => {
        const client = new pg.Client({ connectionString: first.database.url });
        await client.connect();
        await client.query('begin');
        return client;
      }),
    );
    const [one, two] = clients as [pg.Client, pg.Client];
    await one.query(INSERT, [person.id, testData.organizationId, ['first']]);
    const waiting = two.query(INSERT, [person.id, testData.organizationId, ['second']]).then(() => two.query('commit'));
    await one.query('commit');
    await waiting;
    expect(titles(await take(results, 2))).toEqual(['first', 'second']);
    await Promise.all(clients.map((client) => client.end()));
    await results.return?.();
  });

  test('misses nothing when the connection that hears of it is lost', async () => {
    const results = open(transport, { afterDatabaseId: await begin() });
    await notify(['one']);
    expect(titles(await take(results, 1))).toEqual(['one']);
    await sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'compliance-gateway access'`,
    );
    await notify(['two']);
    expect(titles(await take(results, 1))).toEqual(['two']);
    await results.return?.();
  });

  describe('follows the access of the list:', () => {
    test.each([
      ['an organization of others', { organizationId: 'other' }, { code: 'NOT_FOUND', messages: [1004] }],
      ['one that never existed', { organizationId: 2147483647 }, { code: 'NOT_FOUND', messages: [1004] }],
      [
        'a place before all',
        { afterDatabaseId: -1 },
        { code: 'BAD_USER_INPUT', messages: ['afterDatabaseId must be 0 or more'] },
      ],
      [
        'what is no number',
        { afterDatabaseId: 'x' },
        {
          code: 'BAD_USER_INPUT',
          messages: ['afterDatabaseId must be an integer from -9007199254740991 to 9007199254740991'],
        },
      ],
    ])('refuses %s', async (_what, variables, extensions) => {
      const selection = 'organizationId' in variables && variables.organizationId === 'other';
      const results = open(transport, selection ? { organizationId: testData.otherOrganizationId } : variables);
      expect(codes(await take(results, 5))).toEqual([extensions]);
    });

    test.each(['writeOnly', 'telemetry'] as const)('refuses a token that is %s', async (name) => {
      const results = open(transport, { token: testData.tokens[name] });
      expect(codes(await take(results, 5))).toEqual([{ code: 'FORBIDDEN', messages: [1003] }]);
    });

    test('gives nothing more of an organization that the caller was removed from', async () => {
      const results = open(transport, { afterDatabaseId: await begin() });
      await notify(['one'], elsewhere);
      expect(titles(await take(results, 1))).toEqual(['one']);
      await sql('delete from membership where user_id = $1 and organization_id = $2', [person.id, elsewhere]);
      await notify(['hidden'], elsewhere);
      await notify(['two']);
      expect(titles(await take(results, 1))).toEqual(['two']);
      await results.return?.();
    });

    test('ends with the membership where one organization is named, and says so', async () => {
      const results = open(transport, { afterDatabaseId: await begin(), organizationId: elsewhere });
      await notify(['one'], elsewhere);
      expect(titles(await take(results, 1))).toEqual(['one']);
      await sql('delete from membership where user_id = $1 and organization_id = $2', [person.id, elsewhere]);
      expect(codes(await take(results, 5))).toEqual([{ code: 'NOT_FOUND', messages: [1004] }]);
    });

    test('sends nothing of the past to a member who was removed since', async () => {
      const since = await begin();
      await notify(['hidden'], elsewhere);
      await notify(['shown']);
      await sql('delete from membership where user_id = $1 and organization_id = $2', [person.id, elsewhere]);
      const results = open(transport, { afterDatabaseId: since });
      expect(titles(await take(results, 1))).toEqual(['shown']);
      await results.return?.();
    });

    test('gives nothing of an organization that has blocked the token', async () => {
      const since = await begin();
      await sql('insert into token_block (token_id, organization_id) select id, $2 from api_token where user_id = $1', [
        person.id,
        elsewhere,
      ]);
      await notify(['hidden'], elsewhere);
      await notify(['shown']);
      const results = open(transport, { afterDatabaseId: since });
      expect(titles(await take(results, 1))).toEqual(['shown']);
      await results.return?.();
    });

    test('gives nothing more of an organization from the moment in which it blocks the token', async () => {
      const results = open(transport, { afterDatabaseId: await begin() });
      await notify(['one'], elsewhere);
      expect(titles(await take(results, 1))).toEqual(['one']);
      await sql('insert into token_block (token_id, organization_id) select id, $2 from api_token where user_id = $1', [
        person.id,
        elsewhere,
      ]);
      await notify(['hidden'], elsewhere);
      await notify(['shown']);
      expect(titles(await take(results, 1))).toEqual(['shown']);
      await results.return?.();
    });

    test('ends with FORBIDDEN when the token loses its scope', async () => {
      const results = open(transport, { afterDatabaseId: await begin() });
      await notify(['one']);
      await take(results, 1);
      await sql(`update api_token set scopes = '{write}' where user_id = $1`, [person.id]);
      const rest: GraphQLResult[] = [];
      const reading = (async () => {
        for await (const result of results) rest.push(result);
      })();
      let isOver = false;
      void reading.then(() => (isOver = true));
      while (!isOver) await notify(['more']);
      expect(rest.at(-1)?.errors?.[0]?.extensions).toEqual({ code: 'FORBIDDEN', messages: [1003] });
    });
  });
});
