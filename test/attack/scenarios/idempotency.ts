import { randomUUID } from 'node:crypto';
import { inParallel, send, tally, type Received, type Sent } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

const AT_ONCE = 50;

/** The same change sent many times at once, to two instances, under one Idempotency-Key. */
export async function idempotency({ start, installation, facts, report }: Testbed): Promise<void> {
  const instances = [await start(), await start()] as const;
  const token = facts.tokens.analyst;
  const organization = facts.organization_id;
  const requests: Readonly<Record<string, (title: string) => Sent>> = {
    REST: (title) => ({
      method: 'POST',
      path: `/api/v1/v-ciso/incidents/${organization}`,
      token,
      body: { title, severity: 'LOW' },
    }),
    GraphQL: (title) => {
      const query = `mutation { openIncident(input: { organizationId: ${organization}, title: "${title}", severity: LOW }) { incident { id: databaseId } } }`;
      return { method: 'POST', path: '/graphql', token, body: { query } };
    },
  };
  for (const [api, request] of Object.entries(requests)) {
    const title = `once ${randomUUID()}`;
    const headers = { 'idempotency-key': `"${randomUUID()}"` };
    const results = await inParallel(AT_ONCE, AT_ONCE, (at) =>
      send(instances[at % 2] as (typeof instances)[0], { ...request(title), headers }),
    );
    const rows = await installation.database.rows('select id from incident where title = $1', [title]);
    const done = results.filter(isDone);
    const rest = results.filter((result) => !isDone(result));
    const waiting = rest.every(
      ({ status, headers: { 'retry-after': seconds }, text }) =>
        (status === 409 || text.includes('CONFLICT')) && seconds !== undefined,
    );
    const isSame = done.length > 0 && done.every(({ text }) => text === done[0]?.text);
    report.held(
      `one key at once over ${api} on two instances`,
      AT_ONCE,
      rows.length === 1 && isSame && waiting,
      `${rows.length} records; ${tally(results)}`,
    );
    const replay = await send(instances[1], { ...request(title), headers });
    const replayed = replay.headers['idempotency-replayed'] === 'true' && replay.text === done[0]?.text;
    report.held(`and is replayed over ${api} afterwards`, 1, replayed, `${replay.status} ${replay.text.slice(0, 100)}`);
    const other = await send(instances[0], { ...request(`${title}, another`), headers });
    report.held(
      `another body with the key is refused over ${api}`,
      1,
      other.status === 409 || other.text.includes('"CONFLICT"'),
      `${other.status} ${other.text.slice(0, 120)}`,
    );
  }
}

const isDone = ({ status, text }: Received) => status < 300 && !text.includes('"errors"');
