import { availableParallelism } from 'node:os';
import type { ColdTokens } from './cold-tokens.js';
import type { Measurement } from './comparison.js';
import type { Growth } from './memory.js';
import type { StartTime } from './start-time.js';
import type { Subscribed } from './subscribed.js';
import type { Who, Workload } from './workloads.js';
import type { RushResult } from './rush.js';
import type { WritersResult } from './writers.js';

export interface Compared {
  workload: Workload;
  measurements: readonly Measurement[];
}

export function machineLine(rounds: number): string {
  return `Node ${process.versions.node}, ${availableParallelism()} processors, ${process.platform} ${process.arch}; medians of ${rounds} interleaved rounds, 32 connections. Only the ratios travel to another machine.`;
}

export function comparisonTable(compared: readonly Compared[]): string {
  const rows = compared.flatMap(({ workload: { part, title }, measurements }) => [
    [`**${part}** ${title}`, '', '', '', '', '', ''],
    ...measurements.map((measurement) => comparisonRow(measurement, measurements)),
  ]);
  return table(
    [
      '',
      'server CPU, µs / request',
      '× by hand',
      '× Mercurius',
      'target',
      'requests / s',
      'PostgreSQL CPU, µs / request',
    ],
    rows,
  );
}

function comparisonRow(measurement: Measurement, all: readonly Measurement[]): string[] {
  const { who, cpu, target, requestsPerSecond, postgresCpu } = measurement;
  const times = (other: Who) => {
    const base = all.find((one) => one.who === other);
    return base === undefined || base === measurement ? undefined : cpu / base.cpu;
  };
  return [
    who,
    cpu.toFixed(0),
    ratio(times('by hand')),
    ratio(times('Mercurius')),
    target === undefined
      ? ''
      : verdict(`at most ${target.times} × ${target.of}`, (times(target.of) ?? 0) <= target.times),
    requestsPerSecond.toFixed(0),
    postgresCpu?.toFixed(0) ?? '',
  ];
}

const INSTEAD: readonly (readonly [who: Who, than: Who])[] = [
  ['by hand', 'gateway, REST'],
  ['Mercurius', 'gateway, GraphQL'],
  ['PostGraphile', 'gateway, GraphQL'],
  ['Apollo Server, TypeGraphQL, MikroORM', 'gateway, GraphQL'],
  ['SOFA, TypeGraphQL, MikroORM', 'gateway, REST'],
];

/** The cost of the same request with another server, as a multiple of the gateway's cost. */
export function insteadTable(compared: readonly Compared[]): string {
  const workloads = compared.filter(({ measurements }) => measurements.some(({ who }) => who === 'PostGraphile'));
  const rows = INSTEAD.map(([who, than]) => [
    who,
    ...workloads.map(({ measurements }) => {
      const [one, other] = [who, than].map((each) => measurements.find((measured) => measured.who === each));
      return one && other ? `${Number((one.cpu / other.cpu).toPrecision(2))} ×` : '';
    }),
  ]);
  return table(
    ['instead of the gateway', ...workloads.map(({ workload: { part, title } }) => `**${part}** ${title}`)],
    rows,
  );
}

export function subscribedTable(measured: readonly Subscribed[]): string {
  const rows = measured.flatMap(({ title, measurements }) => [
    [title, '', '', '', '', '', ''],
    ...measurements.map(({ who, cpu, target, requestsPerSecond, postgresCpu }) => {
      const [base] = measurements as [Measurement];
      const times = cpu / base.cpu;
      const ofPostgres = postgresCpu !== undefined && base.postgresCpu ? postgresCpu / base.postgresCpu : undefined;
      return [
        ...[who, cpu.toFixed(0), who === base.who ? '' : ratio(times)],
        target === undefined ? '' : verdict(`at most ${target.times}`, times <= target.times),
        ...[requestsPerSecond.toFixed(0), postgresCpu?.toFixed(0) ?? '', who === base.who ? '' : ratio(ofPostgres)],
      ];
    }),
  ]);
  return table(
    [
      ...['a change with webhooks', 'server CPU, µs / change', '× no endpoint', 'target'],
      ...['changes / s', 'PostgreSQL CPU, µs / change', '× no endpoint'],
    ],
    rows,
  );
}

export function coldTokensTable(measured: readonly ColdTokens[]): string {
  const rows = measured.flatMap(({ connections, cold, warm }) =>
    Object.entries({ 'not seen before': cold, again: warm }).map(([title, { p50, p99, cpu }]) => {
      const times = title === 'again' ? '' : ratio(p50 / warm.p50);
      return [`${title}, ${connections} connections`, p50.toFixed(1), times, p99.toFixed(1), cpu.toFixed(0)];
    }),
  );
  return table(
    ['a request of each of 1,000 tokens', 'p50, ms', '× again', 'p99, ms', 'server CPU, µs / request'],
    rows,
  );
}

export function growthTable(growths: readonly Growth[]): string {
  const rows = growths.map(({ form, base, rise, target }) => [
    `32 uploads of 10 MB at once, ${form}`,
    base?.toFixed(0) ?? 'not known here',
    rise?.toFixed(0) ?? 'not known here',
    verdict(`at most ${target}`, rise === undefined ? undefined : rise <= target),
  ]);
  return table(['memory of the gateway', 'before, MB', 'rise, MB', 'target'], rows);
}

export function startTable(starts: readonly StartTime[]): string {
  const rows = starts.map(({ title, milliseconds, cpuMilliseconds, target }) => [
    title,
    (milliseconds / 1000).toFixed(2),
    (cpuMilliseconds / 1000).toFixed(2),
    verdict(`at most ${target / 1000}`, milliseconds <= target),
  ]);
  return table(['start until ready', 'seconds', 'of processor time', 'target'], rows);
}

export function writersTable(results: readonly WritersResult[]): string {
  const base = results[0] as WritersResult;
  const rows = results.map(({ build, incidentsPerSecond, idleP95, busyP95, ...notifications }) => [
    build,
    incidentsPerSecond.toFixed(1),
    build === base.build ? '' : ratio(incidentsPerSecond / base.incidentsPerSecond),
    idleP95.toFixed(1),
    busyP95.toFixed(1),
    notifications.notificationsPerIncident.toFixed(0),
    notifications.notifiedAfter.toFixed(1),
  ]);
  const reads = ['p95 of reads, idle, ms', 'meanwhile, ms'];
  return table(
    [
      '**f** 32 writers beside 8 readers',
      'incidents / s',
      '× base',
      ...reads,
      'notifications / incident',
      'stored after, s',
    ],
    rows,
  );
}

export function rushTable(results: readonly RushResult[]): string {
  const base = results[0] as RushResult;
  const rows = results.map(({ build, answeredPerSecond, donePerSecond, cpu, postgresCpu }) => [
    build,
    answeredPerSecond.toFixed(0),
    donePerSecond.toFixed(0),
    build === base.build ? '' : ratio(donePerSecond / base.donePerSecond),
    cpu.toFixed(0),
    postgresCpu?.toFixed(0) ?? '',
  ]);
  const perSecond = ['answered / s', 'done / s', '× base'];
  return table(
    ['**rush** creating organizations', ...perSecond, 'server CPU, µs each', 'PostgreSQL CPU, µs each'],
    rows,
  );
}

function ratio(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(2);
}

function verdict(target: string, met: boolean | undefined): string {
  return met === undefined ? target : `${target}: ${met ? 'met' : 'missed'}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Writes a note to standard error; tables go to standard output. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
