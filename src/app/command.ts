import type { Config } from '../config.js';
import { Database } from '../database/database.js';
import { startEmbeddedPostgres, startExistingPostgres } from '../database/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import type { TimeLimits } from '../database/time-limits.js';

/** Output streams of a command. */
export type Terminal = Record<'stdout' | 'stderr', { write(text: string): unknown }>;

/** Opens the gateway's database for a command, migrated unless it `isLeft` as it is; an empty one is created or refused. */
export async function onDatabase<Result>(
  { databaseUrl, migrationDatabaseUrl, dataDir }: Config,
  { empty, limits, isLeft = false }: { empty: 'made' | 'refused'; limits?: TimeLimits | undefined; isLeft?: boolean },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const startPostgres = empty === 'made' ? startEmbeddedPostgres : startExistingPostgres;
  const embedded = databaseUrl === undefined ? await startPostgres({ dataDir }) : undefined;
  let database: Database | undefined;
  try {
    const url = databaseUrl ?? (embedded?.url as string);
    if (!isLeft) await migrate(url, migrationDatabaseUrl, empty);
    database = await Database.open(url, 2, limits);
    return await work(database);
  } finally {
    await database?.close();
    await embedded?.stop();
  }
}

/** An error for an option that npm took as its own, because the command would run without it; undefined when there is none. */
export function optionOfNpm(
  env: Readonly<Record<string, string | undefined>>,
  options: readonly string[],
): string | undefined {
  const option = options.find((name) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined);
  return option && `npm has taken --${option} for its own: options stand behind --. Nothing was done.`;
}

/** Throws when an option is repeated: its first value would be ignored. */
export function requireOnce(tokens: readonly { kind: string; name?: string }[]): void {
  const names = tokens.flatMap(({ kind, name }) => (kind === 'option' ? [name] : []));
  if (new Set(names).size < names.length) throw new TypeError('An option is given twice');
}

export function complain(terminal: Terminal, text: string, code = 1): number {
  terminal.stderr.write(`${text}\n`);
  return code;
}
