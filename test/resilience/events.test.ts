import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readEvents, type ReadEvent } from '../support/events.js';
import { GraphQLClient, RestClient } from '../support/clients.js';
import { follow } from '../support/live.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';
import type { GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';

const WRITERS = 32;
const ORGANIZATIONS = 6;
/** Entries of a writer before one instance is killed, and of each after that. */
const BEFORE = 4;
const AFTER = 4;

let installation: Installation;
/** The first one is killed. */
let gateways: GatewayProcess[];
let organizations: number[];
let person: Person;

beforeAll(async () => {
  installation = await Installation.create('events');
  const start = () => installation.start({ RATE_LIMIT_WRITES: 'off' });
  gateways = await Promise.all([start(), start()]);
  const { database } = installation;
  person = await buildPerson(database, 'follower');
  organizations = [];
  for (let number = 0; number < ORGANIZATIONS; number += 1) {
    const id = await buildOrganization(database, `Number ${number}`);
    await join(database, person, id, 'SECURITY_OFFICER');
    organizations.push(id);
  }
});

afterAll(() => installation?.clear());

interface Instance {
  url: string;
  rest: RestClient;
  graphql: GraphQLClient;
}

const instanceOf = ({ url }: GatewayProcess): Instance => ({
  url,
  rest: new RestClient(url),
  graphql: new GraphQLClient(url),
});

/** Creates so many incidents, in one organization after the other; the commit of the last one may be uncertain. */
async function write({ rest }: Instance, writer: number, count: number): Promise<void> {
  for (let entry = 0; entry < count; entry += 1) {
    const id = organizations[(writer + entry) % ORGANIZATIONS]!;
    const body = { title: `${writer}`, severity: 'LOW', significant: false };
    const answer = await rest.post(`/api/v1/v-ciso/incidents/${id}`, { token: person.token, body });
    expect(answer.status).toBe(201);
  }
}

/** Follows by cursor, on the next instance after a failure, until all expected events are read. */
async function poll(instances: readonly Instance[], isDone: (seen: readonly ReadEvent[]) => Promise<boolean>) {
  const seen: ReadEvent[] = [];
  let after: string | undefined;
  let at = 0;
  while (!(await isDone(seen))) {
    const request = { after, limit: 7, wait: 2 };
    try {
      const page = await readEvents('REST', instances[at] as never, request, person.token);
      expect(page.code).toBe('OK');
      seen.push(...page.events);
      after = page.next;
    } catch (error) {
      // A connection that broke; anything else is a failure.
      if (at + 1 >= instances.length || 'matcherResult' in (error as object)) throw error;
      at += 1;
    }
  }
  return seen.map(({ id }) => id);
}

/** The same over a subscription. */
async function subscribe(instances: readonly Instance[], isDone: (seen: readonly string[]) => Promise<boolean>) {
  const seen: string[] = [];
  let after: string | undefined;
  const query = 'subscription ($after: String) { eventAdded(after: $after) { cursor node { id } } }';
  const start = await readEvents('GraphQL', instances[0] as never, { limit: 1 }, person.token);
  after = start.next;
  seen.push(...start.events.map(({ id }) => id));
  for (const instance of instances) {
    const results = follow(instance, 'WebSocket', { query, variables: { after }, token: person.token });
    try {
      while (!(await isDone(seen))) {
        const { value, done } = await results.next();
        if (done === true) break;
        const added = value.data.eventAdded as { cursor: string; node: { id: string } };
        after = added.cursor;
        seen.push(added.node.id);
      }
    } catch (closed) {
      if (instance === instances.at(-1)) throw closed;
    } finally {
      await results.return?.();
    }
  }
  return seen;
}

test('readers with a cursor see each committed entry once and in order when one of two instances is killed while 32 write', async () => {
  const [killed, running] = gateways.map(instanceOf) as [Instance, Instance];
  let wanted = Infinity;
  const isDone = async ({ length }: readonly unknown[]) => length >= wanted;
  const readers = [poll([killed, running], isDone), poll([running], isDone), subscribe([killed, running], isDone)];

  const writing = Array.from({ length: WRITERS }, (_, writer) => writer);
  const [onKilled, onRunning] = [
    writing.filter((writer) => writer % 2 === 0),
    writing.filter((writer) => writer % 2 === 1),
  ];
  const cutOff = Promise.allSettled(onKilled.map((writer) => write(killed, writer, Infinity)));
  await Promise.all(onRunning.map((writer) => write(running, writer, BEFORE)));
  await gateways[0]!.end('SIGKILL');
  expect((await cutOff).filter(({ status }) => status === 'fulfilled')).toEqual([]);
  await Promise.all(writing.map((writer) => write(running, writer, AFTER)));

  const rows = await installation.database.rows<{ id: string; organizationId: number }>(
    `select l.organization_id || '/' || e.position as id, l.organization_id as "organizationId"
       from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = any($1) order by l.organization_id, e.position`,
    [organizations],
  );
  // One more entry shows readers that they have all.
  const own = rows.filter(({ organizationId }) => organizationId === organizations[0]).length;
  const committed = [...rows.map(({ id }) => id), `${organizations[0]}/${own + 1}`];
  wanted = committed.length;
  await write(running, 0, 1);

  const seen = await Promise.all(readers);
  const inOrder = (ids: readonly string[]) =>
    organizations.flatMap((id) => ids.filter((each) => each.startsWith(`${id}/`)));
  for (const ids of seen) expect(inOrder(ids)).toEqual(inOrder(committed));
  for (const ids of seen) expect(ids).toEqual(seen[0]);
  const places = await installation.database.rows<{ seq: number }>('select seq from event order by seq');
  expect(places.map(({ seq }) => seq)).toEqual(places.map((_, index) => index + 1));
});
