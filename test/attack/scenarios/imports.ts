import { GoodClient, keepAlive, send, settled, tally, type Received, type Sent } from '../support/http.js';
import { cpuOf } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

const HEAP_MEGABYTES = 256;
const VALID_IN_A_ROW = 20;
const REPEATED = 4;
/** Maximum cost of a refusal relative to the import of 2,000 controls; a catalog may be five times as long. */
const ALLOWED_RATIO = 5;
/** Empty controls, of 30 KB to 4.8 MB. */
const COUNTS = [10_000, 100_000, 1_600_000];

/** Refused imports in every form: none costs much more than the largest stored one. */
export async function imports({ start, facts, report, quick }: Testbed): Promise<void> {
  const gateway = await start({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` });
  const path = `/api/v1/v-ciso/organizations/${facts.organization_id}/available-workflows`;
  const { manager: token } = facts.tokens;
  const agent = keepAlive(1);
  const good = new GoodClient(gateway, { path: '/health/live' });
  const rest = (body: string): Sent => ({ method: 'POST', path, token, body, headers: JSON_TYPE });
  const graphql = (input: string): Sent => {
    const variables = `{"input":{"organizationId":${facts.organization_id},${input}}}`;
    const body = `{"query":${JSON.stringify(MUTATION)},"variables":${variables}}`;
    return { method: 'POST', path: '/graphql', token, body, headers: JSON_TYPE };
  };
  const measure = async (request: Sent, times: number) => {
    const before = cpuOf(gateway.pid);
    const answers: (Received | Error)[] = [];
    for (let sent = 0; sent < times; sent += 1) answers.push(await settled(send(gateway, request, { agent })));
    return { answers, milliseconds: (cpuOf(gateway.pid) - before) / 1_000 / times };
  };
  const valid = rest(JSON.stringify({ text: validYaml() }));
  await measure(valid, 3);
  const stored = await measure(valid, VALID_IN_A_ROW);
  const isStored = stored.answers.every((answer) => !(answer instanceof Error) && answer.status === 200);
  const shown = (milliseconds: number) => `${milliseconds.toFixed(0)} ms of the process each`;
  report.record('2,000 controls again and again by one token', VALID_IN_A_ROW, isStored, shown(stored.milliseconds));
  for (const [name, fields] of Object.entries(attacks(quick ? COUNTS.slice(0, 2) : COUNTS))) {
    for (const [api, request] of [
      ['REST', rest(`{${fields}}`)],
      ['GraphQL', graphql(fields)],
    ] as const) {
      const { answers, milliseconds } = await measure(request, REPEATED);
      const isRefused = answers.every((answer) => !(answer instanceof Error) && isRefusal(answer));
      const ratio = milliseconds / stored.milliseconds;
      const figures = `${shown(milliseconds)}, ${ratio.toFixed(1)} times a stored one; ${tally(answers)}`;
      report.record(`${name} through ${api}`, REPEATED, isRefused && ratio <= ALLOWED_RATIO, figures);
    }
  }
  const { passed, figures } = await good.stop(5_000);
  agent.destroy();
  const { status } = await send(gateway, { path: '/health/ready' });
  report.record('others are answered meanwhile', 1, passed && status === 200, figures);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MUTATION = 'mutation ($input: ImportWorkflowInput!) { importWorkflow(input: $input) { created } }';
const FACTS = '"id":"house","name":"House","version":"1","source":{"text":"Ours"},"licence":"Ours"';

/** GraphQL responds to some refusals with 200. */
function isRefusal({ status, text }: Received): boolean {
  return (
    status === 400 || status === 413 || (status === 200 && /"code":"(?:BAD_USER_INPUT|FILE_TOO_LARGE)"/.test(text))
  );
}

function validYaml(): string {
  const controls = Array.from({ length: 2_000 }, (_, n) => `  - { id: C${n}, label: Do it, kind: control }\n`);
  return `id: house\nname: House\nversion: 1\nsource: { text: Ours }\nlicence: Ours\ncontrols:\n${controls.join('')}`;
}

/** Fields of the input as JSON, by their kind. */
function attacks(counts: readonly number[]): Record<string, string> {
  const empty = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;
  const text = (value: string) => `"text":${JSON.stringify(value)}`;
  const catalog = (controls: string) => `"catalog":{"metadata":{"title":"a","version":"1"},"controls":${controls}}`;
  const ofCounts = counts.flatMap((count) => [
    [`${count} empty controls in fields`, `${FACTS},"controls":${empty(count)}`],
    [`${count} empty controls in a JSON text`, text(`{${FACTS},"controls":${empty(count)}}`)],
    [`${count} empty controls in a YAML text`, text(`id: house\ncontrols: ${empty(count)}`)],
    [`${count} empty controls in a catalog`, catalog(empty(count))],
    [`${count} empty controls in the text of a catalog`, text(`{${catalog(empty(count))}}`)],
    [`${count} keys of YAML`, text(Array.from({ length: Math.min(count, 150_000) }, (_, n) => `k${n}:\n`).join(''))],
  ]);
  const bomb = Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [${n ? `*a${n - 1}, *a${n - 1}` : 'x, x'}]\n`);
  return Object.fromEntries([
    ...ofCounts,
    ['aliases of aliases', text(`${bomb.join('')}id: *a29\n`)],
    ['anchors without end', text(`id: house\ncontrols: ${'&a '.repeat(300_000)}`)],
    ['brackets of YAML', text('['.repeat(1_000_000))],
    ['dashes of YAML', text('- '.repeat(500_000))],
    ['brackets of JSON in a text', text(`{"id":${'['.repeat(500_000)}${']'.repeat(500_000)}}`)],
    ['objects of JSON in a text', text(`${'{"catalog":'.repeat(90_000)}1${'}'.repeat(90_000)}`)],
    [
      '200,000 wrong matches of a mapping',
      `"mode":"MAPPING",${text(`{"id":"a","pairs":[${`{"control":"a","matches":[${'"",'.repeat(199)}""]},`.repeat(999)}{}]}`)}`,
    ],
  ]) as Record<string, string>;
}
