import { BackgroundWork } from '../../common/concurrency.js';
import { MINUTE } from '../../common/time.js';
import type { Actor, Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import type { Logger } from '../../logger.js';
import { ofEachTrail } from './each-trail.js';
import { canonicalJson, networkOf } from './personal-values.js';
import { record, type AuditEvent } from './record.js';
import { logName } from './trails.js';

/** Milliseconds. */
const FLUSH_EVERY = 1_000;

type Reader = Actor | Caller;

/** Repetitions of a read by the same caller, counted for a minute. */
interface Counted {
  first: Date;
  recording: Promise<unknown>;
  last: { reader: Reader; event: AuditEvent };
  /** Reads after the first. */
  further: number;
}

/**
 * Records reads and downloads: the first of a minute before the answer, and the number of others at its end, with the
 * times of the first and of the last read. So reading does not make a trail grow without bound.
 */
export class ReadRecorder {
  private readonly counted = new Map<string, Counted>();
  private readonly work: BackgroundWork;

  constructor(
    private readonly database: Pick<Database, 'rows' | 'change' | 'appended' | 'request'>,
    log: Logger,
    private readonly now: () => Date,
    private readonly maxCounted = 10_000,
  ) {
    this.work = new BackgroundWork(
      FLUSH_EVERY,
      (isLast) => this.flush(isLast),
      (err) => log.warn({ err }, 'repeated reads cannot be recorded in audit trails at the moment'),
    );
  }

  /** Records or counts a read. Throws when it cannot be recorded: then there must be no answer. */
  async read(reader: Reader, event: AuditEvent): Promise<void> {
    await this.readWith(reader, event, () => record(this.database, reader, event));
  }

  /** The same, where the entry belongs to a transaction of `write`; undefined for a counted read. */
  async readWith<Result>(reader: Reader, event: AuditEvent, write: () => Promise<Result>): Promise<Result | undefined> {
    const key = keyOf(reader, event);
    const known = this.counted.get(key);
    if (known !== undefined) {
      // A read without a recorded first one cannot be counted.
      await known.recording;
      known.further += 1;
      known.last = { reader, event };
      // Its minute has ended meanwhile.
      if (this.counted.get(key) === known) return undefined;
      known.further -= 1;
      return this.readWith(reader, event, write);
    }
    // Beyond the bound each read is an entry, because none may be lost; so is one that may be rolled back with its request.
    if (this.counted.size >= this.maxCounted || this.database.request.shared !== undefined) return write();
    const recording = write();
    this.counted.set(key, { first: event.at, recording, last: { reader, event }, further: 0 });
    try {
      return await recording;
    } catch (error) {
      this.counted.delete(key);
      throw error;
    }
  }

  /** Records all pending reads once; those that cannot be written are lost. */
  close(): Promise<void> {
    return this.work.close();
  }

  private async flush(isLast: boolean): Promise<void> {
    const trailOf = ([, { last }]: [string, Counted]) => logName(last.event);
    await ofEachTrail([...this.counted], trailOf, async ([key, counted]) => {
      if (!isLast && counted.first.getTime() > this.now().getTime() - MINUTE) return;
      const { first, further, last } = counted;
      this.counted.delete(key);
      if (further === 0) return;
      try {
        await record(this.database, last.reader, repeated(last.event, { first, further }));
      } catch (error) {
        // Counted together, and retried.
        const newer = this.counted.get(key);
        if (newer === undefined) this.counted.set(key, counted);
        else Object.assign(newer, { first, further: newer.further + further });
        throw error;
      }
    });
  }
}

function repeated(event: AuditEvent, { first, further }: { first: Date; further: number }): AuditEvent {
  const counts = { times: { after: further }, firstAt: { after: first }, lastAt: { after: event.at } };
  return { ...event, changes: { ...event.changes, ...counts } };
}

/** Reader, network and object of a read. */
function keyOf(reader: Reader, event: AuditEvent): string {
  const { action, subject, changes, reason } = event;
  const address = 'origin' in reader ? reader.origin?.address : undefined;
  const who = reader.kind === 'user' ? [reader.userId, reader.tokenId ?? null] : [reader.kind];
  const from = address === undefined ? null : networkOf(address);
  return canonicalJson([
    ...[logName(event), action, subject.type, subject.id, changes ?? null, reason ?? null],
    ...[from, ...who],
  ]);
}
