import { sendGraphQL } from '../support/http.js';
import { cpuOf } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

/** Costly root fields many times in one operation. */
export async function search({ start, facts, report }: Testbed): Promise<void> {
  const gateway = await start();
  const token = facts.tokens.owner;
  const organization = facts.organization_id;
  const ATTACKS = {
    '20 aliases of search': (at: number) => `a${at}: search(query: "e${at}", first: 100) { nodes { title } }`,
    '20 aliases of search with totals': (at: number) => `a${at}: search(query: "in", first: 1) { totalCount }`,
    '20 previews of the weekly report': (at: number) =>
      `a${at}: weeklyReportPreview(organizationId: ${organization}) { html }`,
  };
  for (const [attack, field] of Object.entries(ATTACKS)) {
    const query = `{ ${Array.from({ length: 20 }, (_, at) => field(at)).join(' ')} }`;
    const before = cpuOf(gateway.pid);
    const startedAt = performance.now();
    const { status, text } = await sendGraphQL(gateway, { query, token });
    const refused = status === 400 && text.includes('"BAD_USER_INPUT"') && !text.includes('"data":{');
    const spent = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${(cpuOf(gateway.pid) - before) / 1_000} ms of processor time`;
    report.record(`${attack} are refused`, 1, refused, `${status} after ${spent}: ${text.slice(0, 120)}`);
  }
  const single = await sendGraphQL(gateway, {
    query: '{ search(query: "incident", first: 10) { nodes { title } } }',
    token,
  });
  report.record(
    'one search is answered',
    1,
    single.status === 200 && !single.text.includes('"errors"'),
    single.text.slice(0, 120),
  );
}
