/**
 * `npm run test:attack`: attacks on gateways in separate processes, on the loopback interface only. Prints the attacks
 * with their results; exits with 1 if one of them succeeded.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { cost } from './scenarios/cost.js';
import { disk } from './scenarios/disk.js';
import { documents } from './scenarios/documents.js';
import { fuzz } from './scenarios/fuzz.js';
import { idempotency } from './scenarios/idempotency.js';
import { imports } from './scenarios/imports.js';
import { instances } from './scenarios/instances.js';
import { kill } from './scenarios/kill.js';
import { limits } from './scenarios/limits.js';
import { memory } from './scenarios/memory.js';
import { network } from './scenarios/network.js';
import { pooler } from './scenarios/pooler.js';
import { points } from './scenarios/points.js';
import { search } from './scenarios/search.js';
import { sockets } from './scenarios/sockets.js';
import { stop } from './scenarios/stop.js';
import { storage } from './scenarios/storage.js';
import { tenancy } from './scenarios/tenancy.js';
import { trails } from './scenarios/trails.js';
import { uploads } from './scenarios/uploads.js';
import { values as wrongValues } from './scenarios/values.js';
import { versions } from './scenarios/versions.js';
import { Report } from './support/report.js';
import { Campaign, type Options, type Scenario } from './support/testbed.js';

/** In the order in which they run, independent of each other. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  memory,
  cost,
  points,
  sockets,
  limits,
  uploads,
  imports,
  search,
  versions,
  values: wrongValues,
  fuzz,
  documents,
  network,
  kill,
  disk,
  instances,
  pooler,
  stop,
  idempotency,
  storage,
  tenancy,
  trails,
};

await main();

async function main(): Promise<void> {
  const { names, ...options } = readOptions();
  const report = new Report();
  const campaign = await Campaign.open();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void campaign.close().finally(() => process.exit(1)));
  }
  try {
    for (const name of names) await tryScenario(campaign, name, report, options);
  } finally {
    await campaign.close();
  }
  process.stdout.write(`\n${report.toString()}\n`);
  process.exit(report.failed ? 1 : 0);
}

async function tryScenario(campaign: Campaign, name: string, report: Report, options: Options): Promise<void> {
  const startedAt = performance.now();
  report.begin(name);
  try {
    await campaign.run(name, SCENARIOS[name] as Scenario, report, options);
  } catch (error) {
    report.record('the scenario runs to its end', 1, false, (error as Error).stack);
  }
  process.stderr.write(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
}

/** Ends the process with one sentence if the command line is invalid. */
function readOptions(): Options & { names: string[] } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { only: text, quick: { type: 'boolean', default: false }, seed: text, requests: text, findings: text },
  });
  const { only, quick, findings } = values;
  const names = only?.split(',').map((name) => name.trim()) ?? Object.keys(SCENARIOS);
  const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
  const requests = Number(values.requests ?? (quick ? 10_000 : 100_000));
  if (process.platform !== 'linux') end('The attacks need Linux: /proc, and the addresses 127.0.0.2 to 127.0.0.120.');
  if (!names.every((name) => Object.hasOwn(SCENARIOS, name)))
    end(`--only must be a list of ${Object.keys(SCENARIOS).join(', ')}`);
  if (!Number.isInteger(seed) || !Number.isInteger(requests)) end('--seed and --requests must be whole numbers');
  return { names, quick, seed, requests, findings };
}

function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
