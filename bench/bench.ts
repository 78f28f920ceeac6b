/**
 * `npm run bench`: the cost of requests to the gateway, measured beside peers in the same run on the same database, and
 * of memory and start. Prints tables; a number that misses its target is marked, never asserted.
 */
import 'reflect-metadata';
import { measureColdTokens } from './cold-tokens.js';
import { compare } from './comparison.js';
import { withDatabase, type Database } from './database.js';
import { fillDatabase, registerDocument } from './dataset.js';
import { LoadProcess } from './load-process.js';
import { measureGrowth } from './memory.js';
import { readOptions, type Options } from './options.js';
import { addPeerTables } from './peer-tables.js';
import {
  coldTokensTable,
  comparisonTable,
  growthTable,
  insteadTable,
  machineLine,
  note,
  rushTable,
  startTable,
  subscribedTable,
  writersTable,
  type Compared,
} from './report.js';
import { measureRush } from './rush.js';
import { startServers, stopServers, type Surroundings } from './servers.js';
import { measureStarts } from './start-time.js';
import { measureSubscribed } from './subscribed.js';
import { workloads } from './workloads.js';
import { measureWriters } from './writers.js';

const options = optionsOrEnd();
await withDatabase((database) => main(options, database));

function optionsOrEnd(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    note((error as Error).message);
    process.exit(1);
  }
}

async function main(options: Options, { url, pid, directory }: Database): Promise<void> {
  const load = new LoadProcess();
  try {
    note('Filling the database.');
    const surroundings: Surroundings = { databaseUrl: url, directory, facts: await fillDatabase(url) };
    print(machineLine(options.rounds));
    await comparisons(options, surroundings, load, pid);
    if (options.parts.has('cold')) {
      note('Measuring tokens that the gateway has not seen.');
      print(coldTokensTable(await measureColdTokens(surroundings, { ...options, load })));
    }
    if (options.parts.has('memory')) {
      note('Measuring memory.');
      const forms = ['multipart', 'base64 JSON', 'GraphQL'] as const;
      const growths = [];
      for (const form of forms) growths.push(await measureGrowth(form, surroundings, load));
      print(growthTable(growths));
    }
    if (options.parts.has('start')) {
      note('Measuring starts.');
      print(startTable(await measureStarts(surroundings, options.rounds)));
    }
    if (options.parts.has('webhooks')) {
      note('Measuring changes with and without webhooks.');
      const run = { ...options, load, postmaster: pid };
      print(subscribedTable(await measureSubscribed(surroundings, run)));
    }
    if (options.parts.has('f')) {
      note('Measuring f: writers beside readers.');
      print(writersTable(await measureWriters(options, surroundings, load)));
    }
    if (options.parts.has('rush')) {
      note('Measuring organizations that are created as fast as it goes.');
      print(rushTable(await measureRush(options, surroundings, { load, postmaster: pid })));
    }
  } finally {
    load.stop();
  }
}

async function comparisons(
  { parts, rounds, haste, peers }: Options,
  surroundings: Surroundings,
  load: LoadProcess,
  postmaster: number,
): Promise<void> {
  if (!['a', 'b', 'c', 'd', 'e', 'alone'].some((part) => parts.has(part as 'a'))) return;
  await addPeerTables(surroundings.databaseUrl);
  await registerDocument(surroundings.databaseUrl);
  const servers = await startServers(surroundings, { peers });
  try {
    const compared: Compared[] = [];
    for (const workload of workloads(servers, surroundings)) {
      if (!parts.has(workload.part)) continue;
      note(`Measuring ${workload.part}: ${workload.title}.`);
      compared.push({ workload, measurements: await compare(workload, { load, postmaster, rounds, haste }) });
    }
    print(comparisonTable(compared));
    if (peers) print(insteadTable(compared));
  } finally {
    await stopServers(servers);
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`);
}
