import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../../support/gateway.js';
import { openFilesBelow } from '../../support/open-files.js';
import { seededRandom } from '../../support/random-changes.js';
import { callScenario } from './pair-runs.js';
import { SCENARIOS } from './pair-scenarios.js';
import { mark, namesLeft, recordedSince, replayFault, rowsAround, storedState, textOf } from './pair-state.js';
import { buildWorld, type World } from './pair-world.js';
import { asSide, besideSteps, INTERRUPTIONS, Stepped, type Interruption } from './stepped-requests.js';

/** Where a request is interrupted, and how. */
export interface Place {
  before: number;
  interruption: Interruption;
}

/** Whatever was wrong; `INTERRUPTED_FINDINGS` is a file that it is written to as well. An error that is caught nowhere is wrong. */
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

/** Places of each request in one run, at random; with `INTERRUPTED`, which names requests, all of those that match. */
const SAMPLE = 4;
const { INTERRUPTED, INTERRUPTED_SEED } = process.env;
export const seed = Number(INTERRUPTED_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);

export const isChosen = (name: string): boolean => new RegExp(INTERRUPTED ?? '').test(name);

/** Where a request that takes these steps is interrupted. */
export function placesOf(steps: readonly string[]): Place[] {
  const all = steps.flatMap((_step, before) => INTERRUPTIONS.map((interruption) => ({ before, interruption })));
  if (INTERRUPTED !== undefined || all.length === 0) return all;
  return Array.from({ length: SAMPLE }, () => all[Math.floor(random() * all.length)]!);
}

let runs = 0;

/** A request with its statements followed, until nothing of it is under way any more. */
export async function followed<Answer>(
  gateway: TestGateway,
  place: Place | undefined,
  request: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Followed<Answer>> {
  const side = new Stepped(place?.before, place?.interruption);
  const answered = await asSide(`interrupted-${(runs += 1)}`, side, async (headers) => {
    const answer = await request(headers).catch((error: unknown) => error as Error);
    await besideSteps(() => quiet(gateway, side));
    return answer;
  });
  const { statements } = side;
  const left = await filesOpen(gateway.dataDir);
  if (answered instanceof Error) return { answer: undefined, broken: answered.message, statements, left };
  return { answer: answered, broken: undefined, statements, left };
}

/** The end of a request. */
interface Followed<Answer> {
  /** Undefined where the connection was over before its end. */
  answer: Answer | undefined;
  broken: string | undefined;
  statements: readonly string[];
  /** Files that are open. */
  left: readonly string[];
}

const UNDER_WAY = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;

/** Until no transaction is open and no statement follows. */
async function quiet({ app }: TestGateway, side: Stepped): Promise<void> {
  for (let seen = -1, still = 0; still < 3;) {
    await sleep(8);
    const [row] = await app.database.rows<{ count: number }>(UNDER_WAY);
    still = row!.count === 0 && side.statements.length === seen ? still + 1 : 0;
    seen = side.statements.length;
  }
}

/** The files of the gateway that stay open; none where nothing is under way. */
async function filesOpen(dataDir: string): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    const open = await openFilesBelow(dataDir);
    if (open.length === 0 || tries === 20) return open;
    await sleep(25);
  }
}

/** The end of a mutation. */
interface Result extends Followed<string> {
  /** Rows and entries, as text. */
  state: string;
  /** Rows that name who was erased, or what the trail tells and what is stored, where they differ. */
  fault: object | undefined;
}

/** Runs the operation of a scenario in an organization of its own. */
export async function runMutation(gateway: TestGateway, name: string, place?: Place): Promise<Result> {
  const world = await prepared(gateway, name);
  const from = await mark(world);
  const run = await followed(gateway, place, (headers) => callScenario(gateway, name, world, headers));
  await gateway.settled();
  const rows = await rowsAround(world);
  const entries = (await recordedSince(world, from)).map((entry) => textOf(entry)).toSorted();
  const state = textOf({ rows: storedState(world, rows), entries });
  return { ...run, state, fault: namesLeft(world, rows) ?? (await replayFault(world, from)) };
}

/** The state of an organization in which nothing was done. */
export async function untouched(gateway: TestGateway, name: string): Promise<string> {
  const world = await prepared(gateway, name);
  return textOf({ rows: storedState(world, await rowsAround(world)), entries: [] });
}

async function prepared(gateway: TestGateway, name: string): Promise<World> {
  const world = await buildWorld(gateway);
  await SCENARIOS[name]!.prepare?.(world);
  return world;
}
