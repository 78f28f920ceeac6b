import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { digestToken, generateToken, tokenPrefix } from '../src/auth/token.js';
import { wireTypes } from '../src/database/wire.js';
import type { LoadResult } from './load.js';
import type { LoadProcess } from './load-process.js';
import type { Options } from './options.js';
import { headers, type LoadRequest } from './requests.js';
import { inTurns, medians } from './samples.js';
import type { ServerProcess } from './server-process.js';
import { startGateway, type Surroundings } from './servers.js';

/** First requests of tokens that the gateway has not seen, and the same requests repeated. */
export interface ColdTokens {
  connections: number;
  cold: Answered;
  warm: Answered;
}

/** Median and 99th percentile of the response times in milliseconds; processor time of the gateway in microseconds. */
type Answered = Pick<LoadResult, 'p50' | 'p99'> & { cpu: number };

const TOKENS = 1000;
const CONNECTIONS = [32, 128];
const WARM_UP = 8;

/** A thousand members of an organization read it, each with its own token, and then again. */
export async function measureColdTokens(
  surroundings: Surroundings,
  { rounds, load }: Pick<Options, 'rounds'> & { load: LoadProcess },
): Promise<ColdTokens[]> {
  const gateway = await startGateway(surroundings, 'cold-tokens');
  const database = new pg.Client({ connectionString: surroundings.databaseUrl, types: wireTypes });
  await database.connect();
  try {
    const { organizationId } = surroundings.facts.readers[0]!;
    const sample = async (connections: number) => {
      const request = await unseen(database, organizationId);
      const cold = await drive(gateway, load, connections, request);
      return { cold, warm: await drive(gateway, load, connections, request) };
    };
    for (let times = 0; times < WARM_UP; times += 1) await sample(32);
    return (await inTurns(rounds, CONNECTIONS, sample)).map(({ each: connections, taken }) => ({
      connections,
      cold: medians(taken.map(({ cold }) => cold)),
      warm: medians(taken.map(({ warm }) => warm)),
    }));
  } finally {
    await Promise.all([gateway.stop(), database.end()]);
  }
}

/** Creates members with one token each, and their requests. */
async function unseen(database: pg.Client, organizationId: number): Promise<LoadRequest> {
  const tokens = Array.from({ length: TOKENS }, () => generateToken());
  await database.query(
    `with users as (
       insert into app_user (id, username, email, first_name, last_name)
       select id, id, id || '@example.com', 'Anna', 'Neri' from unnest($1::uuid[]) id
     ), tokens as (
       insert into api_token (user_id, name, digest, prefix, scopes, expires_at)
       select id, 'bench', digest, prefix, '{read}', now() + interval '1 day'
         from unnest($1::uuid[], $2::text[], $3::text[]) t (id, digest, prefix)
     )
     insert into membership (user_id, organization_id, role) select id, $4, 'VIEWER' from unnest($1::uuid[]) id`,
    [tokens.map(() => randomUUID()), tokens.map(digestToken), tokens.map(tokenPrefix), organizationId],
  );
  const path = `/api/v1/organizations/${organizationId}`;
  const variants = tokens.map((token) => ({ path, headers: headers(token) }));
  return { method: 'GET', paths: [path], headers: {}, variants, once: true, status: 200 };
}

async function drive(
  server: ServerProcess,
  load: LoadProcess,
  connections: number,
  request: LoadRequest,
): Promise<Answered> {
  const before = await server.cpu();
  const { p50, p99 } = await load.run({ port: server.port, connections, requests: TOKENS, maxSeconds: 60, request });
  return { p50, p99, cpu: ((await server.cpu()) - before) / TOKENS };
}
