import { Link } from '../../resilience/support/link.js';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { until } from '../../support/until.js';
import { inParallel, NO_ANSWER_MS, send, settled, tally, type Received, type Sent } from '../support/http.js';
import { Random } from '../support/random.js';
import { uploadForms } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

const COLD_STARTS = 3;
const CUTS = 12;

/** A network between gateway and database that drops, delays, resets, and disconnects within messages. */
export async function network({ start, installation, facts, report, quick }: Testbed): Promise<void> {
  const link = await Link.to(installation.databaseUrl);
  const env = { DATABASE_URL: link.url };
  try {
    for (let at = 0; at < (quick ? 1 : COLD_STARTS); at += 1) {
      const cold = await start(env);
      link.silence();
      await attack(cold, `silence right after start ${at + 1}`, 1);
      link.restore();
      await recovers(cold);
      await cold.end('SIGKILL');
    }
    const gateway = await start(env);
    await allOf(gateway, 5);
    link.silence();
    await attack(gateway, 'silence with open connections', 3);
    link.restore();
    await recovers(gateway);
    link.cut();
    await attack(gateway, 'a database that refuses connections', 3);
    link.restore();
    await recovers(gateway);
    link.slow(300);
    await attack(gateway, 'answers of the database 300 ms late', 3);
    link.restore();
    const random = new Random(1);
    for (let at = 0; at < (quick ? 3 : CUTS); at += 1) {
      // Closes open connections, so that the next ones break at another position of their messages.
      link.cut();
      link.restore();
      link.resetAfter(400 + random.below(6_000));
      await attack(gateway, `connections that end in the middle of messages, round ${at + 1}`, 1);
    }
    link.cut();
    link.restore();
    await recovers(gateway);
  } finally {
    await installation.killAll();
    await link.close();
  }

  /** One of each kind of request, `times` over, all at once. */
  function allOf(gateway: GatewayProcess, times: number): Promise<(Received | Error)[]> {
    const requests = Array.from({ length: times }, () => kinds(facts)).flat();
    return inParallel(requests.length, requests.length, (at) => settled(send(gateway, requests[at] as Sent)));
  }

  async function attack(gateway: GatewayProcess, name: string, times: number): Promise<void> {
    const startedAt = performance.now();
    const results = await allOf(gateway, times);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const isAnswered = (result: Received | Error) =>
      !(result instanceof Error) &&
      (result.status < 500 || result.status === 503) &&
      !result.text.includes('"INTERNAL"');
    const answered = results.every(isAnswered);
    report.record(name, results.length, answered, `slowest ${seconds} s of ${NO_ANSWER_MS / 1_000}; ${tally(results)}`);
  }

  async function recovers(gateway: GatewayProcess): Promise<void> {
    const startedAt = performance.now();
    const good = async () =>
      (await allOf(gateway, 1)).every((result) => !(result instanceof Error) && result.status < 400);
    const passed = await until('the gateway serves again', good).then(
      () => true,
      () => false,
    );
    report.record(
      'and then everything is served again',
      1,
      passed,
      `after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
    );
  }
}

let turn = 0;

function kinds(facts: Testbed['facts']): Sent[] {
  const token = facts.tokens.owner;
  const upload = uploadForms(facts, facts.artifact_id, token)[2] as (bytes: Buffer) => Sent;
  const graphql = (query: string): Sent => ({ method: 'POST', path: '/graphql', token, body: { query } });
  return [
    { path: '/api/v1/token', token },
    { path: `/api/v1/organizations/${facts.organization_id}`, token: facts.tokens.viewer },
    {
      method: 'POST',
      path: `/api/v1/v-ciso/incidents/${facts.organization_id}`,
      token,
      body: { title: 'Faulty network', severity: 'LOW' },
    },
    upload(Buffer.from(`upload ${turn++}`)),
    graphql('{ viewer { user { id: databaseId } } notifications(first: 5) { totalCount nodes { title } } }'),
    graphql(
      `mutation { openIncident(input: { organizationId: ${facts.organization_id}, title: "x", severity: LOW }) { incident { id: databaseId } } }`,
    ),
    graphql('{ __typename }'),
    { path: '/health/ready' },
  ];
}
