import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { compare, type Comparison, type Measurement } from './comparison.js';
import { addUser } from './dataset.js';
import { organizationCreation } from './organization-body.js';
import { headers, type LoadRequest } from './requests.js';
import { ServerProcess } from './server-process.js';
import { gatewaySettings, type Surroundings } from './servers.js';
import { Receiver } from './webhook-receivers.js';
import type { Contestant, Workload } from './workloads.js';

/** Cost of a change with endpoints, and without any. */
export interface Subscribed {
  title: string;
  measurements: readonly Measurement[];
}

export const ENDPOINTS = 10;
const ORGANIZATIONS = 32;
const MEMBERS = 20;

const CONSUMED = `select not exists (
  select from audit_log l cross join unnest('{events,notifications}'::text[]) name
    left join event_consumer c on c.consumer = name and c.log_id = l.id
   where l.organization_id is not null and l.position > coalesce(c.position, 0)) as done`;
const SENT = `select not exists (select from webhook_delivery where status = 'PENDING') as done`;

/**
 * An instance that sends nothing and one that does, on one database; the resulting deliveries are awaited and counted.
 */
export async function measureSubscribed(
  { databaseUrl, directory }: Omit<Surroundings, 'facts'>,
  run: Comparison,
): Promise<Subscribed[]> {
  const database = new pg.Client({ connectionString: databaseUrl, types: wireTypes });
  await database.connect();
  const receiver = await Receiver.start(true);
  const start = (jobs: string) =>
    ServerProcess.start(
      gatewaySettings({
        ...{ DATABASE_URL: databaseUrl, DATA_DIR: join(directory, `subscribed-${jobs}`), JOBS: jobs },
        OUTGOING_NETWORKS: '127.0.0.0/8',
      }),
    );
  const servers = await Promise.all([start('0'), start('1')]);
  const [changing, sending] = servers;
  const settled = async (contestant?: Contestant) => {
    const isIdle = contestant?.server === changing;
    while (!(await isTrue(database, CONSUMED)) || !(isIdle || (await isTrue(database, SENT)))) await sleep(50);
  };
  try {
    const plain = await addWriter(database, 'plain');
    const subscribed = await addWriter(database, 'subscribed');
    await subscribe(database, sending, subscribed, receiver.url);
    const user = await addWriter(database, 'creating');
    // They receive the events of all organizations that the user manages, including those that it creates.
    for (let n = 1; n <= ENDPOINTS; n += 1) await addEndpoint(sending, 'profile/webhook-endpoints', user, receiver.url);
    const contestants = (requestOf: (writer: Writer) => LoadRequest, subscriber = subscribed): Contestant[] => [
      { who: 'no endpoint', server: changing, request: requestOf(plain) },
      {
        who: 'ten endpoints, sent by another instance',
        server: changing,
        request: requestOf(subscriber),
        target: { of: 'no endpoint', times: 1.03 },
      },
      { who: 'ten endpoints, sent by itself', server: sending, request: requestOf(subscriber) },
    ];
    const workloads: Workload[] = [
      {
        part: 'webhooks',
        title: '**f** opening an incident',
        ...{ requests: 1_000, warmUp: 1_000, settled, comparable: () => null },
        contestants: contestants(opening),
      },
      {
        part: 'webhooks',
        title: '**c** creating an organization, with endpoints of its creator',
        ...{ requests: 500, warmUp: 500, settled, comparable: () => null },
        contestants: contestants(({ token }) => organizationCreation(token), user),
      },
    ];
    const measured: Subscribed[] = [];
    for (const workload of workloads)
      measured.push({ title: workload.title, measurements: await compare(workload, run) });
    return measured;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    receiver.close();
    await database.end();
  }
}

interface Writer {
  id: string;
  token: string;
  organizationIds: number[];
}

/** A manager of several organizations, each with other members. */
async function addWriter(database: pg.Client, name: string): Promise<Writer> {
  const { id, token } = await addUser(database, `${name}-writer`);
  const { rows } = await database.query<{ id: number }>(
    `with created as (
       insert into organization (name, logo, sectors, industries, compliance_frameworks, contacts, domains, ips)
       select $2 || n, '', '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, $3::int) n returning id),
     members as (
       insert into membership (user_id, organization_id, role)
       select u.id, created.id, case when u.id = $1 then 'ORGANIZATION_MANAGER' else 'VIEWER' end from created,
         ((select $1::uuid as id) union all (select id from app_user where username like 'user%' order by username limit $4)) u)
     select id from created order by id`,
    [id, name, ORGANIZATIONS, MEMBERS - 1],
  );
  return { id, token, organizationIds: rows.map(({ id }) => id) };
}

/** One endpoint is created through the API; the others are copies, since an organization may have five. */
async function subscribe(database: pg.Client, gateway: ServerProcess, writer: Writer, url: string) {
  const [first] = writer.organizationIds;
  await addEndpoint(gateway, `organizations/${first}/webhooks`, writer, url);
  await database.query(
    `insert into webhook_endpoint (organization_id, url, actions, format, secret, enabled_by_id)
     select o.id, url, actions, format, secret, enabled_by_id
       from webhook_endpoint w, unnest($1::bigint[]) o (id), generate_series(1, $2::int) n
      where w.organization_id = $3 and (o.id <> $3 or n > 1)`,
    [writer.organizationIds, ENDPOINTS, first],
  );
}

async function addEndpoint(gateway: ServerProcess, path: string, { token }: Writer, url: string) {
  const answer = await fetch(`${gateway.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { ...headers(token), 'Content-Type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (answer.status !== 201) throw new Error(`The endpoint was answered with ${answer.status}`);
}

/** Each connection opens incidents of another organization. */
export function opening({ token, organizationIds }: Pick<Writer, 'token' | 'organizationIds'>): LoadRequest {
  const paths = organizationIds.map((id) => `/api/v1/v-ciso/incidents/${id}`);
  const body = JSON.stringify({ title: 'Unusual outgoing traffic', severity: 'HIGH' });
  return { method: 'POST', paths, headers: headers(token), body, status: 201 };
}

async function isTrue(database: pg.Client, query: string): Promise<boolean> {
  const { rows } = await database.query<{ done: boolean }>(query);
  return rows[0]!.done;
}
