import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../../../src/database/database.js';

/** The header that says whose statements they are. */
export const STEPPED = 'x-stepped';
const STARTED = 'http.server.request.start';

/** What one side of a pair sends to PostgreSQL; it waits before one of its statements, once. */
export class Stepped {
  readonly statements: string[] = [];
  readonly reached: Promise<void>;
  private isOver = false;
  private isReleased = false;
  private arrive!: () => void;
  private readonly go = Promise.withResolvers<void>();

  /** `holdBefore` is the number of the statement, or none. */
  constructor(private readonly holdBefore?: number) {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
  }

  /** Undefined where the statement may be sent at once. */
  next(text: string): Promise<void> | undefined {
    if (this.isOver) return undefined;
    const number = this.statements.push(text) - 1;
    if (this.holdBefore === undefined || number < this.holdBefore || this.isReleased) return undefined;
    this.arrive();
    // What is sent without waiting for it waits behind it.
    return this.go.promise;
  }

  release(): void {
    this.isReleased = true;
    this.go.resolve();
  }

  /** What is still sent is not the request's. */
  end(): void {
    this.isOver = true;
  }
}

const sides = new Map<string, Stepped>();
const current = new AsyncLocalStorage<Stepped>();

/** Follows the statements of requests that have the header, until the end of the file. Returns what undoes it. */
export function followSteps(): () => void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const send = () => Reflect.apply(query, this, args) as unknown;
    const [first] = args;
    const waiting = current
      .getStore()
      ?.next(typeof first === 'string' ? first : String((first as { text: string }).text));
    if (waiting === undefined) return send();
    if (typeof args.at(-1) === 'function') return void waiting.then(send);
    return waiting.then(send);
  } as typeof query;
  const listener = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const side = sides.get(String(request.headers[STEPPED]));
    if (side !== undefined) current.enterWith(side);
  };
  subscribe(STARTED, listener);
  return () => {
    pg.Client.prototype.query = query;
    unsubscribe(STARTED, listener);
  };
}

/** Runs a request as this side. */
export async function asSide<Result>(
  name: string,
  side: Stepped,
  request: (headers: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  sides.set(name, side);
  try {
    return await current.run(side, () => request({ [STEPPED]: name }));
  } finally {
    side.end();
    sides.delete(name);
  }
}

const BLOCKED = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Until the work is done or a statement waits for a lock; no longer than a second. */
export async function doneOrBlocked(database: Database, work: Promise<unknown>): Promise<'done' | 'blocked' | 'slow'> {
  let isDone = false;
  const done = () => (isDone = true);
  void work.then(done, done);
  const deadline = Date.now() + 1_000;
  for (let seen = 0; Date.now() < deadline;) {
    await Promise.race([work, sleep(3)]);
    if (isDone) return 'done';
    const [row] = await database.rows<{ count: number }>(BLOCKED);
    seen = row!.count > 0 ? seen + 1 : 0;
    if (seen > 1) return 'blocked';
  }
  return 'slow';
}
