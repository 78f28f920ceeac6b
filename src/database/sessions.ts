import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { StartupError } from '../errors.js';
import type { Logger } from '../logger.js';
import { sqlStateOf } from './driver-errors.js';
import { rowsOf } from './pipelined-connections.js';
import type { StatementNames } from './wire.js';

/** SQLSTATEs of a session other than the one that prepared the statement: it does not exist, or exists already. */
const FOREIGN_SESSION = new Set(['26000', '42P05']);

type Warnings = Pick<Logger, 'warn'>;

interface Settings {
  role: string;
  zone: string;
  dates: string;
  isolation: string;
  /** Whether instants arrive in the format that wire.ts reads. */
  isUtc: boolean;
  hasLimit: boolean;
}

const SETTINGS = `
  select current_user as role, current_setting('TimeZone') as zone, current_setting('DateStyle') as dates,
         current_setting('default_transaction_isolation') as isolation, current_setting('statement_timeout') <> '0' as "hasLimit",
         '2026-01-01T00:00:00Z'::timestamptz::text = '2026-01-01 00:00:00+00'
           and '2026-07-01T00:00:00Z'::timestamptz::text = '2026-07-01 00:00:00+00' as "isUtc"`;

const UNPREPARED =
  'A connection pooler gives transactions another session each and does not carry prepared statements (PgBouncer ' +
  'before 1.21, or with max_prepared_statements = 0): statements are sent unprepared from now on, which is slower.';
const UNLIMITED =
  'Statements have no time limit in the database: a connection pooler does not forward the parameter "options", and the ' +
  'role has no statement_timeout. See "Connection poolers" in docs/operating.md.';

/**
 * Whether the sessions of the pool belong to it. A pooler in transaction mode assigns another one to each
 * transaction, with prepared statements and settings of other programs.
 */
export class Sessions {
  private log: Warnings | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly names: StatementNames,
  ) {}

  /** Warns of what is slower or unlimited. Throws StartupError where times would be misread, or changes would fail. */
  async check(log: Warnings): Promise<void> {
    this.log = log;
    const client = await this.pool.connect();
    try {
      const [settings] = await rowsOf<Settings>(client, { text: SETTINGS });
      if (settings?.isUtc === false) throw new StartupError(wrongTimes(settings));
      // PostgreSQL has no weaker level than this one: `read uncommitted` is the same.
      if (settings?.isolation.startsWith('read ') === false) throw new StartupError(wrongIsolation(settings));
      if (settings?.hasLimit === false) log.warn({}, UNLIMITED);
      if ((await isPooled(client)) && (await this.isShared(client))) this.stopPreparing();
    } finally {
      client.release();
    }
  }

  /** Handles an error of a statement: behind a pooler, some show that statements must not be prepared. */
  failed(error: unknown): void {
    if (!FOREIGN_SESSION.has(sqlStateOf(error) ?? '')) return;
    this.looking ??= this.look().finally(() => (this.looking = undefined));
  }

  private async look(): Promise<void> {
    try {
      const client = await this.pool.connect();
      const pooled = await isPooled(client).finally(() => client.release());
      // Without a pooler, a statement of a pipeline failed to be prepared, and the next one relied on it.
      if (pooled) this.stopPreparing();
    } catch {
      // Callers see that the database is unavailable; the next such error repeats the check.
    }
  }

  /**
   * Whether a statement that `one` prepares exists in the session of another connection, or not in its own any more.
   */
  private async isShared(one: PoolClient): Promise<boolean> {
    const name = `probe_${randomBytes(12).toString('hex')}`;
    const prepared = { name, text: 'select 1' };
    const other = await this.pool.connect();
    try {
      await rowsOf(one, prepared);
      const seen = await rowsOf(other, { text: 'select from pg_prepared_statements where name = $1', values: [name] });
      await rowsOf(one, prepared);
      return seen.length > 0;
    } catch (error) {
      if (FOREIGN_SESSION.has(sqlStateOf(error) ?? '')) return true;
      throw error;
    } finally {
      other.release();
    }
  }

  private stopPreparing(): void {
    if (this.names.stop()) this.log?.warn({}, UNPREPARED);
  }
}

/** A pooler invents the process id that it sends to its clients. */
async function isPooled(client: PoolClient & { processID?: number | null }): Promise<boolean> {
  const [server] = await rowsOf<{ pid: number }>(client, { text: 'select pg_backend_pid() as pid' });
  return server?.pid !== client.processID;
}

const wrongTimes = ({ role, zone, dates }: Settings) =>
  `Times of the database would be read wrongly: its sessions have the time zone ${zone} and the date style ${dates}, ` +
  withoutOptions(role, "timezone = 'UTC'", "datestyle = 'ISO'");

const wrongIsolation = ({ role, isolation }: Settings) =>
  `Changes that meet would fail: sessions of the database have the isolation level ${isolation}, ` +
  withoutOptions(role, "default_transaction_isolation = 'read committed'");

const withoutOptions = (role: string, ...settings: string[]) =>
  'because a connection pooler does not forward the parameter "options". Run: ' +
  `${settings.map((setting) => `alter role "${role}" set ${setting}; `).join('')}and restart the pooler.`;
