import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase } from '../../support/database.js';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { Link } from '../../resilience/support/link.js';
import { send } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

/** Milliseconds until an instance knows of a change on another one, with NOTIFY messages and without. */
const HEARD_MS = 1_000;
const DEAF_MS = 65_000;
/** Length of a list that exceeds all buffers between gateway and client. */
const ROWS = 6_000;

/** Two and three instances on one database: concurrent first starts, and tokens that are revoked on one of them. */
export async function instances(testbed: Testbed): Promise<void> {
  for (const count of testbed.quick ? [3] : [2, 3, 2, 3]) await startAtOnce(testbed, count);
  await revocation(testbed);
  await swallowed(testbed);
  await transfer(testbed);
}

async function startAtOnce({ start, installation, report }: Testbed, count: number): Promise<void> {
  const empty = await createEmptyDatabase();
  const dataDir = (at: number) => join(installation.dataDir, `${count}-${at}`);
  const starts = Array.from({ length: count }, (_, at) => start({ DATABASE_URL: empty.url, DATA_DIR: dataDir(at) }));
  const results = await Promise.allSettled(starts);
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [String(result.reason).slice(0, 300)] : [],
  );
  const ready = await Promise.all(
    results.map(
      async (result) =>
        result.status === 'fulfilled' && (await send(result.value, { path: '/health/ready' })).status === 200,
    ),
  );
  report.record(
    `${count} instances start at once on an empty database`,
    count,
    ready.every(Boolean),
    failures.join('; '),
  );
  await installation.killAll();
  await empty.drop();
}

async function revocation({ start, installation, facts, report, count }: Testbed): Promise<void> {
  const gateways = [await start(), await start(), await start()];
  const slowest: number[] = [];
  for (let round = 0; round < count(8); round += 1) {
    const { id, token } = await newToken(gateways[0] as GatewayProcess, facts.tokens.owner);
    for (const gateway of gateways) await isGood(gateway, token);
    await revoke(gateways[round % 3] as GatewayProcess, id, facts.tokens.owner);
    slowest.push(Math.max(...(await Promise.all(gateways.map((gateway) => refusedAfter(gateway, token, 10_000))))));
  }
  const passed = slowest.every((milliseconds) => milliseconds <= HEARD_MS);
  report.record(
    'a token revoked on one of three is refused on all',
    slowest.length,
    passed,
    `after ${slowest.map(Math.round).join(', ')} ms`,
  );
  await installation.killAll();
}

/** Instances whose database never delivers NOTIFY messages, or stops delivering them, as behind a pooler. */
async function swallowed({ start, installation, facts, report }: Testbed): Promise<void> {
  const links = [await Link.to(installation.databaseUrl), await Link.to(installation.databaseUrl)] as const;
  let isDeaf = false;
  links[0].filterWith(() => withoutNotifications(() => true));
  links[1].filterWith(() => withoutNotifications(() => isDeaf));
  try {
    const [never, first] = [await start({ DATABASE_URL: links[0].url }), await start()];
    const noLonger = await start({ DATABASE_URL: links[1].url });
    const { id, token } = await newToken(first, facts.tokens.owner);
    for (const gateway of [never, noLonger]) await isGood(gateway, token);
    isDeaf = true;
    await revoke(first, id, facts.tokens.owner);
    const [one, other] = await Promise.all([
      refusedAfter(never, token, DEAF_MS),
      refusedAfter(noLonger, token, DEAF_MS),
    ]);
    report.record('and where announcements never arrive', 1, one <= DEAF_MS, `after ${Math.round(one)} ms`);
    report.record('and where announcements no longer arrive', 1, other <= DEAF_MS, `after ${Math.round(other)} ms`);
  } finally {
    await installation.killAll();
    for (const link of links) await link.close();
  }
}

/** A long list as a file, whose token is revoked on another instance during the transfer: the rest is not sent. */
async function transfer({ start, installation, facts, report }: Testbed): Promise<void> {
  const [sending, revoking] = [await start(), await start()];
  await installation.database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, created_at, icon, href)
     select m.user_id, m.organization_id, 'Title', repeat('long ', 1000), 'SYSTEM', 'OPEN', now(), '', ''
       from membership m, generate_series(1, $2::int) n
      where m.organization_id = $1 and m.role = 'ORGANIZATION_OWNER'`,
    [facts.organization_id, ROWS],
  );
  const path = '/api/v1/notifications?format=csv';
  const read = async (token: string, isRevoked: boolean, id: number) => {
    const call = get({ port: sending.port, path, headers: { 'x-service-token': token }, agent: false });
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    if (isRevoked) {
      await revoke(revoking, id, facts.tokens.owner);
      await sleep(HEARD_MS);
    }
    let bytes = 0;
    response.on('data', (piece: Buffer) => (bytes += piece.length)).on('error', () => undefined);
    await new Promise((closed) => response.once('close', closed));
    return { bytes, isWhole: response.complete };
  };
  const { id, token } = await newToken(sending, facts.tokens.owner);
  const whole = await read(token, false, id);
  const rest = await read(token, true, id);
  report.record(
    'a token revoked in the middle of a transfer: the rest does not come',
    1,
    whole.isWhole && whole.bytes > ROWS * 5_000 && !rest.isWhole && rest.bytes < whole.bytes,
    `${rest.bytes} of ${whole.bytes} bytes`,
  );
  await installation.killAll();
}

async function newToken(gateway: GatewayProcess, owner: string): Promise<{ id: number; token: string }> {
  const body = { name: 'to be revoked', scopes: ['READ'] };
  const { text } = await send(gateway, { method: 'POST', path: '/api/v1/tokens', token: owner, body });
  const { data } = JSON.parse(text) as { data: { token: string; api_token: { id: number } } };
  return { id: data.api_token.id, token: data.token };
}

async function revoke(gateway: GatewayProcess, id: number, owner: string): Promise<void> {
  const { status, text } = await send(gateway, { method: 'DELETE', path: `/api/v1/tokens/${id}`, token: owner });
  if (status !== 200) throw new Error(`A token cannot be revoked: ${status} ${text}`);
}

/** Makes an instance cache a token. Throws if it is invalid. */
async function isGood(gateway: GatewayProcess, token: string): Promise<void> {
  for (let at = 0; at < 3; at += 1) {
    const { status, text } = await send(gateway, { path: '/api/v1/token', token });
    if (status !== 200) throw new Error(`A new token is refused: ${status} ${text}`);
  }
}

/** Milliseconds until a token is refused; Infinity if it remains valid. */
async function refusedAfter(gateway: GatewayProcess, token: string, stallMs: number): Promise<number> {
  const startedAt = performance.now();
  for (; performance.now() - startedAt < stallMs; await sleep(20)) {
    if ((await send(gateway, { path: '/api/v1/token', token })).status === 401) return performance.now() - startedAt;
  }
  return Infinity;
}

/** Removes every NotificationResponse ('A') from the server's messages, each of a type, a length and a body. */
function withoutNotifications(isDeaf: () => boolean): (bytes: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const passed: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      if (rest[0] !== 'A'.charCodeAt(0) || !isDeaf()) passed.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return Buffer.concat(passed);
  };
}
