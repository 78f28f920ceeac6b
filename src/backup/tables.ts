import { hash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { from, to } from 'pg-copy-streams';
import { JOBS_SCHEMA } from '../database/job-queues.js';
import { PrimaryClient } from '../database/primary-client.js';
import { wireTypes } from '../database/wire.js';
import { unavailable } from '../errors.js';
import type { BackedUpTable } from './manifest.js';

export type Table = Pick<BackedUpTable, 'schema' | 'name' | 'columns'>;

const SCHEMAS = `('public', '${JOBS_SCHEMA}')`;

/** Whole tables including their partitions, without generated columns. */
const TABLES = `
  select n.nspname as schema, c.relname as name,
         array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ${SCHEMAS} and c.relkind in ('r', 'p') and not c.relispartition
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
   order by 1, 2`;

const SEQUENCES = `
  select schemaname as schema, sequencename as name, last_value::float8 as last from pg_sequences
   where schemaname in ${SCHEMAS} and last_value is not null order by 1, 2`;

/** A client that formats values the same on every server, without a statement timeout. */
export async function connect(url: string): Promise<Client> {
  const settings = ['TimeZone=UTC', 'DateStyle=ISO', 'IntervalStyle=postgres', 'bytea_output=hex'];
  const limits = ['statement_timeout=0', 'lock_timeout=0', 'idle_in_transaction_session_timeout=0'];
  const client = new PrimaryClient({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: wireTypes,
    options: [...settings, ...limits].map((each) => `-c ${each}`).join(' '),
  });
  // A broken connection fails the running statement; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect().catch((cause: unknown) => {
    throw unavailable(undefined, { service: 'database', cause });
  });
  return client;
}

export async function tablesOf(client: Client): Promise<Table[]> {
  return (await client.query<Table>(TABLES)).rows;
}

export async function sequencesOf(client: Client) {
  return (await client.query<{ schema: string; name: string; last: number }>(SEQUENCES)).rows;
}

export async function migrationsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migration order by id');
  return rows.map(({ name }) => name);
}

/** The rows of a table in the format of COPY, in chunks of any size. */
export async function* copyOut(client: Client, table: Table): AsyncGenerator<Buffer> {
  const stream = client.query(to(`copy (select ${columnsOf(table)} from ${nameOf(table)}) to stdout`));
  for await (const chunk of stream) yield chunk as Buffer;
}

/** Loads rows in the format of COPY. */
export class CopyIn {
  private readonly stream;

  constructor(client: Client, table: Table) {
    this.stream = client.query(from(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
    // Reported by the next write, or at the end.
    this.stream.on('error', () => undefined);
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.stream.errored) throw this.stream.errored;
    if (!this.stream.write(chunk)) await once(this.stream, 'drain');
  }

  async end(): Promise<void> {
    this.stream.end();
    await finished(this.stream);
  }
}

/** Counts the rows of a table and sums their hashes, so that the order of rows does not matter. */
export class RowDigest {
  rows = 0;
  private readonly sums = [0n, 0n, 0n, 0n];
  private rest: Buffer = Buffer.alloc(0);

  update(chunk: Buffer): void {
    let begin = 0;
    // A line is a row: line breaks in values are written as \n.
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, begin)) {
      const part = chunk.subarray(begin, end);
      this.add(this.rest.length === 0 ? part : Buffer.concat([this.rest, part]));
      this.rest = Buffer.alloc(0);
      begin = end + 1;
    }
    if (begin < chunk.length) this.rest = Buffer.concat([this.rest, chunk.subarray(begin)]);
  }

  get digest(): string {
    return this.sums.map((sum) => sum.toString(16).padStart(16, '0')).join('');
  }

  private add(row: Buffer): void {
    const digest = hash('sha256', row, 'buffer');
    this.rows += 1;
    for (const [at, sum] of this.sums.entries())
      this.sums[at] = BigInt.asUintN(64, sum + digest.readBigUInt64BE(at * 8));
  }
}

/**
 * Runs `load` on emptied tables without triggers and foreign keys, which are validated when they are added again. Requires
 * the owner of the tables.
 */
export async function withoutRules(client: Client, tables: readonly Table[], load: () => Promise<void>): Promise<void> {
  const { rows: triggers } = await client.query<{ table: string; name: string; state: 'O' | 'A' | 'R' }>(`
    select tgrelid::regclass::text as table, tgname as name, tgenabled as state
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ${SCHEMAS} and not tgisinternal and tgparentid = 0 and tgenabled <> 'D'`);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c join pg_namespace n on n.oid = c.connamespace
     where n.nspname in ${SCHEMAS} and contype = 'f' and conparentid = 0`);
  for (const { table, name } of triggers)
    await client.query(`alter table ${table} disable trigger ${escapeIdentifier(name)}`);
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`);
  await client.query(`truncate ${tables.map(nameOf).join(', ')}`);
  await load();
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`);
  const enable = { O: 'enable', A: 'enable always', R: 'enable replica' };
  for (const { table, name, state } of triggers)
    await client.query(`alter table ${table} ${enable[state]} trigger ${escapeIdentifier(name)}`);
}

export async function setSequence(
  client: Client,
  { schema, name, last }: { schema: string; name: string; last: number },
) {
  await client.query(`select setval(${escapeLiteral(nameOf({ schema, name }))}, $1)`, [last]);
}

export function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

function columnsOf({ columns }: Table): string {
  return columns.map(escapeIdentifier).join(', ');
}
