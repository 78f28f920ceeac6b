import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../../../src/database/database.js';
import { unavailableBecause } from '../../../src/storage/blob-store.js';
import { LocalBlobStore } from '../../../src/storage/local-blob-store.js';
import { LocalRecordStore } from '../../../src/storage/local-record-store.js';

/** The header that identifies the request of a statement. */
export const STEPPED = 'x-stepped';
const STARTED = 'http.server.request.start';

/** The kind of interruption of a request at one of its steps. */
export const INTERRUPTIONS = ['client gone', 'statement failed', 'connection lost', 'answer lost'] as const;
export type Interruption = (typeof INTERRUPTIONS)[number];

/**
 * Statements that a request sends to PostgreSQL, and its storage operations: it pauses before one of these steps, or is
 * interrupted there, once.
 */
export class Stepped {
  readonly statements: string[] = [];
  readonly reached: Promise<void>;
  /** The request object of the gateway; a job has none. */
  request: IncomingMessage | undefined;
  private isBegun = false;
  private isOver = false;
  private isReleased = false;
  private arrive!: () => void;
  private readonly go = Promise.withResolvers<void>();

  /** `before` is the number of the step, if any. */
  constructor(
    private readonly before?: number,
    private readonly interruption?: Interruption,
  ) {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
  }

  begin(request?: IncomingMessage): void {
    this.request = request;
    this.isBegun = true;
  }

  /** Undefined if it may run at once. */
  next(text: string): Promise<void> | Interruption | undefined {
    if (this.isOver || !this.isBegun) return undefined;
    const number = this.statements.push(text) - 1;
    if (this.before === undefined || number < this.before || this.isReleased) return undefined;
    this.arrive();
    if (this.interruption !== undefined) {
      this.isReleased = true;
      return this.interruption;
    }
    // Pipelined statements wait behind it.
    return this.go.promise;
  }

  release(): void {
    this.isReleased = true;
    this.go.resolve();
  }

  /** Later statements do not belong to the request. */
  end(): void {
    this.isOver = true;
  }
}

const sides = new Map<string, Stepped>();
const current = new AsyncLocalStorage<Stepped>();

/**
 * Records the statements of requests with the header, until the end of the file. Returns a function that restores the
 * original.
 */
export function followSteps(): () => void {
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const send = (sent = args) => Reflect.apply(query, this, sent) as unknown;
    const [first] = args;
    const side = current.getStore();
    const step = side?.next(typeof first === 'string' ? first : String((first as { text: string }).text));
    if (side === undefined || step === undefined) return send();
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    if (step === 'statement failed') return send([FAILING, ...args.filter((arg) => typeof arg === 'function')]);
    if (step === 'connection lost') stream.destroy();
    if (step === 'answer lost') setImmediate(() => stream.destroy());
    if (step === 'connection lost' || step === 'answer lost') return send();
    const waiting = step === 'client gone' ? leave(side.request!) : step;
    if (typeof args.at(-1) === 'function') return void waiting.then(() => send());
    return waiting.then(() => send());
  } as typeof query;
  const listener = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const side = sides.get(String(request.headers[STEPPED]));
    if (side === undefined) return;
    side.begin(request);
    current.enterWith(side);
  };
  subscribe(STARTED, listener);
  const undo = [
    ...['stage', 'open', 'has', 'stamp', 'remove'].map((name) => followStorage(LocalBlobStore.prototype, name)),
    ...['put', 'get', 'names'].map((name) => followStorage(LocalRecordStore.prototype, name)),
  ];
  return () => {
    pg.Client.prototype.query = query;
    for (const each of undo) each();
    unsubscribe(STARTED, listener);
  };
}

/** Wraps a method of a storage, and those of its staged bytes. Returns a function that restores the original. */
function followStorage(of: object, name: string): () => void {
  const methods = of as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const own = methods[name]!;
  methods[name] = async function (...args: unknown[]) {
    const side = current.getStore();
    const step = side?.next(`storage: ${name}`);
    if (step === 'client gone') await leave(side!.request!);
    else if (step instanceof Promise) await step;
    const isLost = step === 'answer lost' && !OPENING.test(name);
    if (typeof step === 'string' && step !== 'client gone' && !isLost) throw unavailableBecause(BROKEN_DISK);
    const done = await Reflect.apply(own, this, args);
    if (isLost) throw unavailableBecause(BROKEN_DISK);
    if (name === 'stage') for (const below of ['secure', 'keep']) followStorage(done as object, below);
    return done;
  };
  return () => (methods[name] = own);
}

/** Steps that leave nothing open when they fail. */
const OPENING = /^(?:stage|open)$/;
const BROKEN_DISK = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });

/** PostgreSQL's error for a full disk; `INTERRUPTION_CODE` selects another one. */
const FAILING = `do $$ begin raise exception using errcode = '${process.env['INTERRUPTION_CODE'] ?? '53100'}'; end $$`;

async function leave({ socket }: IncomingMessage): Promise<void> {
  if (!socket.destroyed) await once(socket.destroy(), 'close');
  // Listeners of the interruption run first.
  await sleep(1);
}

/** Runs work outside the request. */
export const besideSteps = <Result>(work: () => Result): Result => current.exit(work);

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

/** Waits until the work is done or a statement waits for a lock, for at most a second. */
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
