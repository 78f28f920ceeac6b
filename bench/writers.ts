import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withBuilds, type Build } from './builds.js';
import { Connection } from './connection.js';
import type { Facts } from './dataset.js';
import type { LoadProcess } from './load-process.js';
import type { Options } from './options.js';
import { headers, requestMakers, type LoadRequest } from './requests.js';
import { inTurns, medians } from './samples.js';
import type { Surroundings } from './servers.js';
import { opening } from './subscribed.js';

/** Result of a build while many members wrote concurrently. */
export interface WritersResult {
  build: string;
  incidentsPerSecond: number;
  /** Milliseconds of read requests, alone and during the writes. */
  idleP95: number;
  busyP95: number;
  notificationsPerIncident: number;
  /** Seconds from the last response until the last notification was stored. */
  notifiedAfter: number;
}

const WRITERS = 32;
const READERS = 8;
const INCIDENTS = 640;
const MEMBERS = { least: 20, most: 480 };
const IDLE_READS = 800;
const READ_EVERY_MS = 10;
const QUIET_MS = 2000;

type Writing = Build & Record<'write' | 'read', LoadRequest>;

/**
 * 32 members of different organizations open incidents concurrently while eight other users read; builds take turns.
 */
export function measureWriters(
  { base, rounds, haste }: Pick<Options, 'base' | 'rounds' | 'haste'>,
  surroundings: Omit<Surroundings, 'facts'>,
  load: LoadProcess,
): Promise<WritersResult[]> {
  return withBuilds('writers', base, surroundings, async (started) => {
    const builds: Writing[] = [];
    for (const build of started)
      builds.push({ ...build, ...requests(build.facts, await addOrganizations(build.database, build.facts)) });
    for (const build of builds) await drive(build, load, WRITERS * 4);
    const samples = await inTurns(rounds, builds, (build) => sample(build, load, Math.ceil(INCIDENTS / haste)));
    return samples.map(({ each: { name: build }, taken }) => ({ build, ...medians(taken) }));
  });
}

/** Ordered by number of members, the fewest first, each with the writer as its analyst. */
async function addOrganizations(database: pg.Client, { writerId }: Facts): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < WRITERS; at += 1) {
    const members = Math.round(MEMBERS.least + ((MEMBERS.most - MEMBERS.least) * at) / (WRITERS - 1));
    const { rows } = await database.query<{ id: number }>(
      `with created as (
         insert into organization (name, logo, sectors, industries, compliance_frameworks, contacts, domains, ips)
         values ('Writers', '', '{}', '{}', '[]', '[]', '{}', '{}') returning id
       ), members as (
         insert into membership (user_id, organization_id, role)
         select u.id, created.id, case when u.id = $1 then 'SECURITY_ANALYST' else 'VIEWER' end from created,
           ((select $1::uuid as id) union all (select id from app_user where username like 'user%' order by username limit $2)) u
       ) select id from created`,
      [writerId, members - 1],
    );
    ids.push(rows[0]!.id);
  }
  await database.query('vacuum analyze');
  return ids;
}

function requests(facts: Facts, organizationIds: number[]): Pick<Writing, 'write' | 'read'> {
  return {
    write: opening({ token: facts.writerToken, organizationIds }),
    read: {
      method: 'GET',
      paths: [],
      headers: {},
      variants: facts.readers.map(({ token, organizationId }) => {
        return { path: `/api/v1/organizations/${organizationId}`, headers: headers(token) };
      }),
      status: 200,
    },
  };
}

function drive({ gateway, write }: Writing, load: LoadProcess, count: number) {
  return load.run({ port: gateway.port, connections: WRITERS, requests: count, maxSeconds: 60, request: write });
}

async function sample(build: Writing, load: LoadProcess, incidents: number): Promise<Omit<WritersResult, 'build'>> {
  const before = await quiet(build);
  let reads = 0;
  const idleP95 = await p95OfReads(build, () => (reads += 1) <= IDLE_READS);
  let isWriting = true;
  const busy = p95OfReads(build, () => isWriting);
  const done = await drive(build, load, incidents).finally(() => (isWriting = false));
  const answeredAt = performance.now();
  const after = await quiet(build);
  return {
    incidentsPerSecond: done.requests / done.seconds,
    idleP95,
    busyP95: await busy,
    notificationsPerIncident: (after.last - before.last) / done.requests,
    notifiedAfter: Math.max(after.at - answeredAt, 0) / 1000,
  };
}

/** 95th percentile in milliseconds of sequential reads over each of a few connections. */
async function p95OfReads({ gateway, read }: Writing, goesOn: () => boolean): Promise<number> {
  const taken: number[] = [];
  const readers = requestMakers(read, READERS).map(async (make) => {
    const connection = await Connection.open(gateway.port);
    while (goesOn()) {
      const since = performance.now();
      const { status } = await connection.send(make());
      if (status !== read.status) throw new Error(`The read was answered with ${status}`);
      taken.push(performance.now() - since);
      await sleep(READ_EVERY_MS);
    }
    connection.close();
  });
  await Promise.all(readers);
  return taken.toSorted((one, other) => one - other)[Math.floor(taken.length * 0.95)] as number;
}

/** Waits until no notification was stored for a while; returns the id of the last one, and when it was first seen. */
async function quiet({ database }: Build): Promise<{ last: number; at: number }> {
  let [last, at] = [-1, 0];
  for (;;) {
    const { rows } = await database.query<{ last: number }>(
      'select coalesce(max(id), 0)::int as last from notification',
    );
    const now = performance.now();
    if (rows[0]!.last !== last) [last, at] = [rows[0]!.last, now];
    else if (now - at > QUIET_MS) return { last, at };
    await sleep(50);
  }
}
