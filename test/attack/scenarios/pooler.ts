import { randomUUID } from 'node:crypto';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { TransactionPooler } from '../../support/pooler.js';
import { inParallel, send, settled, tally } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

const CLIENTS = 32;

/** Two instances behind a pooler in transaction mode without support of prepared statements, like PgBouncer 1.18. */
export async function pooler({ start, installation, facts, report, count }: Testbed): Promise<void> {
  const { database, databaseUrl } = installation;
  await database.rows(`alter database ${new URL(databaseUrl).pathname.slice(1)} set timezone = 'UTC'`);
  const between = await TransactionPooler.before(databaseUrl, 4, 'oldest');
  try {
    const env = { DATABASE_URL: between.url, LISTEN_DATABASE_URL: databaseUrl };
    const instances = [await start(env), await start(env)];
    const organization = facts.organization_id;
    const token = facts.tokens.analyst;
    const titles = new Set<string>();
    const base = '/api/v1/v-ciso';
    const paths = [
      `${base}/incidents/${organization}`,
      `${base}/organizations/${organization}/workflows`,
      `${base}/organizations/${organization}/documents?limit=20`,
      '/api/v1/notifications',
    ];
    let unready = 0;
    const results = await inParallel(count(2_000), CLIENTS, async (at) => {
      const instance = instances[at % 2] as GatewayProcess;
      if (at % 50 === 0) unready += (await send(instance, { path: '/health/ready' })).status === 200 ? 0 : 1;
      if (at % 4 !== 0) return settled(send(instance, { path: paths[(at >> 1) % 4] as string, token }));
      const title = `pooled ${randomUUID()}`;
      const body = { title, severity: 'LOW' };
      const path = paths[0] as string;
      const answer = await settled(send(instance, { method: 'POST', path, token, body }));
      if (!(answer instanceof Error) && answer.status === 201) titles.add(title);
      return answer;
    });
    const rows = await database.rows<{ title: string }>("select title from incident where title like 'pooled %'");
    const stored = rows.length === titles.size && rows.every(({ title }) => titles.has(title));
    const passed = results.every((result) => !(result instanceof Error) && result.status < 300);
    report.record(
      'reads and writes over two instances that share four connections',
      results.length,
      passed && unready === 0,
      tally(results.map((result) => (result instanceof Error ? result.message : String(result.status)))),
    );
    report.record('and every incident is stored as it was sent', titles.size, stored && titles.size > 0);
  } finally {
    await installation.killAll();
    await between.close();
  }
}
