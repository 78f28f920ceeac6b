import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../../support/gateway.js';
import { openFilesBelow } from '../../support/open-files.js';
import { seededRandom } from '../../support/random-changes.js';
import { callScenario } from './pair-runs.js';
import { SCENARIOS } from './pair-scenarios.js';
import {
  mark,
  type Mark,
  namesLeft,
  recordedSince,
  replayDefect,
  rowsAround,
  storedState,
  textOf,
} from './pair-state.js';
import { buildFixture, type Fixture } from './pair-fixture.js';
import { asSide, besideSteps, doneOrBlocked, Stepped, type Interruption } from './stepped-requests.js';

/** The point and the kind of an interruption. */
export interface Place<How> {
  before: number;
  interruption: How;
}

/** The action at that point, or the kind of failure. */
type Interrupting = Interruption | (() => Promise<unknown>);

/** Records a defect; also in the file of `INTERRUPTED_FINDINGS`. An uncaught error is a defect. */
export class Findings {
  readonly all: object[] = [];

  constructor() {
    const unhandled = (error: Error) => this.note({ unhandled: String(error), stack: error.stack });
    process.on('unhandledRejection', unhandled).on('uncaughtException', unhandled);
  }

  note(finding: object): void {
    this.all.push(finding);
    const file = process.env['INTERRUPTED_FINDINGS'];
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(finding)}\n`);
  }
}

/** Milliseconds until a revoked right takes effect. */
export const ANNOUNCED = 40;

/**
 * Number of random points for each request in one run; with `INTERRUPTED`, which selects requests, all points of the
 * matching ones.
 */
const SAMPLE = 4;
const { INTERRUPTED, INTERRUPTED_SEED } = process.env;
export const seed = Number(INTERRUPTED_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);

export const isChosen = (name: string): boolean => new RegExp(INTERRUPTED ?? '').test(name);

/** The points of interruption for a request with these steps. */
export function placesOf<How>(steps: readonly string[], ways: readonly How[]): Place<How>[] {
  const all = steps.flatMap((_step, before) => ways.map((interruption) => ({ before, interruption })));
  return all.length === 0 ? all : sample(all, SAMPLE);
}

/** So many random ones; all with `INTERRUPTED`. */
export function sample<One>(all: readonly One[], count: number): One[] {
  if (INTERRUPTED !== undefined) return [...all];
  return Array.from({ length: count }, () => all[Math.floor(random() * all.length)]!);
}

let runs = 0;

/** Runs a request with recorded statements, until none of them is running any more. */
export async function followed<Answer>(
  gateway: TestGateway,
  place: Place<Interrupting> | undefined,
  request: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Followed<Answer>> {
  const { before, interruption } = place ?? {};
  const side = new Stepped(before, typeof interruption === 'string' ? interruption : undefined);
  let meanwhile: Promise<unknown> | undefined;
  let isBefore = false;
  const interrupt = async (work: () => Promise<unknown>) => {
    meanwhile = work();
    isBefore = (await doneOrBlocked(gateway.app.database, meanwhile)) === 'done';
    await sleep(ANNOUNCED);
    side.release();
  };
  if (typeof interruption === 'function') void side.reached.then(() => interrupt(interruption));
  const answered = await asSide(`interrupted-${(runs += 1)}`, side, async (headers) => {
    const answer = await request(headers).catch((error: unknown) => error as Error);
    await besideSteps(() => quiet(gateway, side));
    return answer;
  });
  await meanwhile;
  const end = { statements: side.statements, left: await filesOpen(gateway.dataDir), isBefore };
  if (answered instanceof Error) return { answer: undefined, broken: answered.message, ...end };
  return { answer: answered, broken: undefined, ...end };
}

/** Result of a request. */
export interface Followed<Answer> {
  /** Undefined if the connection was closed before its end. */
  answer: Answer | undefined;
  broken: string | undefined;
  statements: readonly string[];
  /** Files that are open. */
  left: readonly string[];
  /** Whether the concurrent action ended before it continued; otherwise it waits for the request. */
  isBefore: boolean;
}

const UNDER_WAY = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;

/** Waits until no transaction is open and no statement follows. */
async function quiet({ app }: TestGateway, side: Stepped): Promise<void> {
  for (let seen = -1, still = 0; still < 3;) {
    await sleep(8);
    const [row] = await app.database.rows<{ count: number }>(UNDER_WAY);
    still = row!.count === 0 && side.statements.length === seen ? still + 1 : 0;
    seen = side.statements.length;
  }
}

/** Leaked open files of the gateway; none if nothing is running. */
async function filesOpen(dataDir: string): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    const open = await openFilesBelow(dataDir);
    if (open.length === 0 || tries === 20) return open;
    await sleep(25);
  }
}

/** Result of a mutation. */
export interface Result extends Followed<string> {
  /** Rows and entries, as text. */
  state: string;
  /** Rows that name the erased user, or the differences between the replayed and the stored state. */
  defect: object | undefined;
}

/** Runs the operation of a scenario in an organization of its own. */
export async function runMutation(gateway: TestGateway, name: string, place?: Place<Interruption>): Promise<Result> {
  const fixture = await prepared(gateway, name);
  const from = await mark(fixture);
  const run = await followed(gateway, place, (headers) => callScenario(gateway, name, fixture, headers));
  return resultOf(gateway, fixture, from, run);
}

export async function resultOf(
  gateway: TestGateway,
  fixture: Fixture,
  from: Mark,
  run: Followed<string>,
): Promise<Result> {
  await gateway.settled();
  const rows = await rowsAround(fixture);
  const entries = (await recordedSince(fixture, from)).map((entry) => textOf(entry)).toSorted();
  const state = textOf({ rows: storedState(fixture, rows), entries });
  return { ...run, state, defect: namesLeft(fixture, rows) ?? (await replayDefect(fixture, from)) };
}

/** The state of an organization without changes. */
export async function untouched(gateway: TestGateway, name: string): Promise<string> {
  const fixture = await prepared(gateway, name);
  return textOf({ rows: storedState(fixture, await rowsAround(fixture)), entries: [] });
}

export async function prepared(gateway: TestGateway, name: string): Promise<Fixture> {
  const fixture = await buildFixture(gateway);
  await SCENARIOS[name]!.prepare?.(fixture);
  return fixture;
}
