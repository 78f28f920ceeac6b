import { appendFileSync } from 'node:fs';
import type { Database } from '../../../src/database/database.js';
import { contractErrors } from '../../support/contract.js';
import { graphqlErrors } from '../../support/graphql-contract.js';
import { GraphQLRequests } from '../fuzz/graphql-requests.js';
import { Pool } from '../fuzz/pool.js';
import { RestRequests } from '../fuzz/rest-requests.js';
import { inParallel, keepAlive, send, settled, tally, type Received, type Sent } from '../support/http.js';
import { INSPECTED, liveMegabytes } from '../support/live-memory.js';
import { megabytesOf } from '../support/process-figures.js';
import { Random } from '../support/random.js';
import type { Testbed } from '../support/testbed.js';

const WIDTH = 8;
/** Number of requests after which removed tokens and members are restored, so that the others still reach data. */
const ROUND = 500;
/** Limit of the growth of live memory between a quarter and all of the requests: caches fill up. */
const ALLOWED_GROWTH_MB = 40;

/**
 * Requests generated from openapi.json and schema.graphql; the seed reproduces them, except for their order within a
 * round.
 */
export async function fuzz({ start, installation, facts, report, options }: Testbed): Promise<void> {
  const gateway = await start(INSPECTED);
  const { seed, requests: total, findings: file } = options;
  const random = new Random(seed);
  const pool = new Pool(facts, random);
  const [rest, graphql] = [new RestRequests(random, pool), new GraphQLRequests(random, pool)];
  const agent = keepAlive(WIDTH);
  const findings = new Map<string, { count: number; example: string }>();
  const statuses: number[] = [];
  const undo = await undoing(installation.database);
  let base = 0;
  let ended: string | undefined;
  void gateway.ended.then((how) => (ended = `${JSON.stringify(how)} ${gateway.complaint.slice(-2_000)}`));
  for (let done = 0; done < total && ended === undefined; done += ROUND) {
    await inParallel(Math.min(ROUND, total - done), WIDTH, async () => {
      if (ended !== undefined) return;
      const sent = random.chance(0.55) ? rest.next() : graphql.next();
      const answer = await settled(send(gateway, sent, { agent }));
      if (!(answer instanceof Error)) {
        statuses.push(answer.status);
        if (answer.status < 300) pool.learn(answer.text);
      }
      for (const error of errorsOf(sent, answer)) note(sent, answer, error);
    });
    await undo();
    if (base === 0 && done + ROUND >= total / 4) base = await liveMegabytes(gateway);
  }
  agent.destroy();
  report.record('the gateway goes on', statuses.length, ended === undefined, ended);
  if (ended !== undefined) return;
  const resident = megabytesOf(gateway.pid);
  const grown = (await liveMegabytes(gateway)) - base;
  const wrong = [...findings.values()].reduce((sum, { count }) => sum + count, 0);
  report.record(
    'generated requests keep the documents',
    total,
    wrong === 0,
    `seed ${seed}; ${wrong} wrong in ${findings.size} ways; ${tally(statuses)}`,
  );
  report.record(
    'memory is flat',
    total,
    grown <= ALLOWED_GROWTH_MB,
    `live after a full collection: grown by ${grown} MB from ${base} MB (at most ${ALLOWED_GROWTH_MB}); resident before it: ${resident} MB`,
  );
  const rows = [...findings].map(([way, { count }]) => [String(count), way]);
  if (rows.length > 0) report.table('What fuzzing found', ['count', 'what'], rows);

  function note(sent: Sent, answer: Received | Error, error: string): void {
    const way = `${sent.method ?? 'GET'} ${placeOf(sent)}: ${error.replaceAll(/\d+/g, 'n').slice(0, 160)}`;
    const found = findings.get(way);
    if (found !== undefined) return void (found.count += 1);
    const story = `${way}\n  > ${JSON.stringify({ ...sent, body: shown(sent.body) })}\n  < ${shown(answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`)}\n`;
    findings.set(way, { count: 1, example: story });
    if (file !== undefined) appendFileSync(file, story);
    else process.stderr.write(story);
  }
}

function errorsOf(sent: Sent, answer: Received | Error): string[] {
  if (answer instanceof Error) return [answer.message];
  const { method = 'GET', path, body, headers = {}, token } = sent;
  const ours = answer.status >= 500 && answer.status !== 503 ? [`status ${answer.status}`] : [];
  if (path.startsWith('/graphql')) return method === 'HEAD' ? ours : graphqlErrors(answer);
  // A byte order mark is ignored, as RFC 8259 allows.
  const bytes =
    typeof body === 'string' ? Buffer.from(body.replace(/^\ufeff/, '')) : ((body as Buffer) ?? Buffer.alloc(0));
  const sentHeaders = { ...headers, ...(token !== undefined && { 'x-service-token': token }) };
  const requestContext = { method, target: path, sent: sentHeaders, body: bytes, answer: answer.bytes };
  try {
    const errors = contractErrors({ ...requestContext, status: answer.status, headers: answer.headers });
    return [...ours, ...errors];
  } catch (error) {
    // The contract parser is simple: input that it cannot parse should have been rejected.
    return [...ours, `accepted, but cannot be read: ${(error as Error).message}`];
  }
}

/** A path without its ids, and the root fields of a document. */
function placeOf({ path, body }: Sent): string {
  const place = (path.split('?', 1)[0] as string).replaceAll(/\/[^/]*(?:\d|%)[^/]*/g, '/*');
  if (!path.startsWith('/graphql') || typeof body !== 'string') return place;
  return `${place} ${[...body.matchAll(/f\d: (\w+)/g)].map(([, field]) => field).join(',')}`;
}

function shown(value: unknown): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
  return text.length > 3_000 ? `${text.slice(0, 3_000)}... (${text.length})` : text;
}

/** Restores the initial tokens, memberships and organizations. */
async function undoing(database: Database): Promise<() => Promise<void>> {
  await database.rows('create table kept_membership as table membership');
  const live = 'select id from api_token where revoked_at is null';
  await database.rows(`create table kept_token as ${live}`);
  await database.rows('create table kept_organization as select id from organization where deleted_at is null');
  return async () => {
    await database.rows('update api_token set revoked_at = null where id in (select id from kept_token)');
    await database.rows('update organization set deleted_at = null where id in (select id from kept_organization)');
    await database.rows('update app_user set deactivated_at = null');
    await database.rows('delete from token_block');
    await database.rows(
      'delete from membership m using kept_membership k where m.user_id = k.user_id and m.organization_id = k.organization_id',
    );
    await database.rows('insert into membership select * from kept_membership');
  };
}
