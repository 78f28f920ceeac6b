import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.js';
import type { Database } from '../database/database.js';
import { sql, statement } from '../database/sql.js';
import { JOB_LIMITS } from '../database/time-limits.js';
import { StartupError } from '../errors.js';
import { Deprecations } from '../graphql/deprecations.js';
import { toDomainError } from '../graphql/errors.js';
import { GraphQLExecutor } from '../graphql/executor.js';
import type { Registered } from '../graphql/named-documents.js';
import type { Introspection } from '../graphql/open-documents.js';
import { OperationPipeline } from '../graphql/pipeline.js';
import { createSchema } from '../resolvers/index.js';
import { ManifestError, readManifest } from '../services/trusted-documents/manifest.js';
import {
  type ApplicationVersionName,
  listDocuments,
  listVersions,
  publish,
  RegistryRefusal,
  withdraw,
} from '../services/trusted-documents/registry.js';
import { LIMITS } from '../values/limits.js';
import { complain, onDatabase, requireOnce, type Terminal } from './command.js';

const USAGE = `Usage: npm run documents -- publish FILE --app NAME --app-version VERSION
       npm run documents -- withdraw --app NAME --app-version VERSION
       npm run documents -- list
       npm run documents -- check`;

const { nameCharacters } = LIMITS.trustedDocument;
const NAME = new RegExp(`^[\\w.@/+-]{1,${nameCharacters}}$`);
const WRONG_NAME = `--app and --app-version are 1 to ${nameCharacters} letters, digits or any of . _ @ / + -`;

type Command =
  | { name: 'publish'; file: string; version: ApplicationVersionName }
  | { name: 'withdraw'; version: ApplicationVersionName }
  | { name: 'list' | 'check' };

/** Publishes and withdraws the GraphQL documents of applications, lists and checks them. Returns the exit code. */
export async function documents(
  args: string[],
  env: Record<string, string | undefined>,
  terminal: Terminal = process,
): Promise<number> {
  const command = commandOf(args);
  if (typeof command === 'string') return complain(terminal, command, 2);
  const config = readConfig(env, { empty: 'refused' });
  // A check runs before an upgrade, so it does not migrate the database of the running version.
  const how = { empty: 'refused', limits: JOB_LIMITS, isLeft: command.name === 'check' } as const;
  try {
    return await onDatabase(config, how, (database) => run(command, { database, config, terminal }));
  } catch (error) {
    if (error instanceof RegistryRefusal || error instanceof ManifestError)
      return complain(terminal, `${error.message} Nothing was changed.`);
    throw error;
  }
}

interface Deps {
  database: Database;
  config: Pick<Config, 'federation' | 'introspection'>;
  terminal: Terminal;
}

function run(command: Command, deps: Deps): Promise<number> {
  if (command.name === 'publish') return publishFile(command.file, command.version, deps);
  if (command.name === 'withdraw') return withdrawVersion(command.version, deps);
  return command.name === 'list' ? list(deps) : check(deps);
}

/** The arguments, or the error in them. */
function commandOf(args: string[]): Command | string {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals, tokens } = parseArgs({
      args,
      options: { app: text, 'app-version': text },
      allowPositionals: true,
      tokens: true,
    });
    requireOnce(tokens);
    const [name = '', ...files] = positionals;
    const { app, 'app-version': label } = values;
    if ((name === 'list' || name === 'check') && positionals.length + Object.keys(values).length === 1) return { name };
    const [file] = files;
    const fits = name === 'publish' ? files.length === 1 : name === 'withdraw' && files.length === 0;
    if (!fits || app === undefined || label === undefined) return USAGE;
    if (!NAME.test(app) || !NAME.test(label)) return WRONG_NAME;
    const version = { application: app, label };
    return name === 'publish' ? { name, file: file as string, version } : { name: 'withdraw', version };
  } catch {
    return USAGE;
  }
}

async function publishFile(file: string, version: ApplicationVersionName, deps: Deps): Promise<number> {
  const { database, terminal } = deps;
  const json = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ManifestError(`${file} cannot be read (${error.code}).`);
  });
  const checked = await checkerOf(deps);
  const found = readManifest(json).map((document) => ({ ...document, ...checked(document.text) }));
  for (const { text, errors, deprecated } of found) report(terminal, text, [...errors, ...deprecated]);
  if (found.some(({ errors }) => errors.length > 0)) return complain(terminal, 'Nothing was published.');
  const isNew = await publish(
    database,
    version,
    found.map(({ sha256, text, tokens }) => ({ sha256, text, tokens })),
  );
  const sentence = isNew ? 'is published' : 'was published before';
  terminal.stdout.write(
    `Version ${version.label} of ${version.application} ${sentence}, with ${countOf(found.length)}.\n`,
  );
  return 0;
}

async function withdrawVersion(version: ApplicationVersionName, { database, terminal }: Deps): Promise<number> {
  const removed = await withdraw(database, version);
  terminal.stdout.write(
    `Version ${version.label} of ${version.application} is withdrawn; ${countOf(removed)} that no other version has cannot be run any more.\n`,
  );
  return 0;
}

async function list({ database, terminal }: Deps): Promise<number> {
  for (const { application, label, documents: count, publishedAt, withdrawnAt } of await listVersions.all(database)) {
    const end = withdrawnAt === null ? '' : `, withdrawn ${withdrawnAt}`;
    terminal.stdout.write(`${application} ${label}: ${countOf(count)}, published ${publishedAt}${end}\n`);
  }
  return 0;
}

const registry = statement()(
  () => sql<{ isThere: boolean }>`select to_regclass('trusted_document') is not null as "isThere"`,
);

/** Lists documents that this version of the gateway would refuse or whose fields it has deprecated. */
async function check(deps: Deps): Promise<number> {
  const { database, terminal } = deps;
  if (!(await registry.one(database)).isThere)
    throw new StartupError(
      'The database has no register of documents: it is of no gateway, or of a version before there were registered documents. ' +
        'Set DATABASE_URL to that of the gateway that is to be upgraded.',
    );
  const checked = await checkerOf(deps);
  const registered = await listDocuments.all(database);
  let affected = 0;
  for (const { text, versions } of registered) {
    const { errors, deprecated } = checked(text);
    if (errors.length + deprecated.length === 0) continue;
    affected += 1;
    report(terminal, text, [...errors, ...deprecated], ` (${versions.join(', ')})`);
  }
  terminal.stdout.write(
    `Registered: ${countOf(registered.length)}. Refused by this version, or using what it has deprecated: ${affected}.\n`,
  );
  return affected > 0 ? 1 : 0;
}

const NONE: Registered = {
  isEmpty: true,
  find: async () => undefined,
  withText: () => undefined,
  refresh: async () => undefined,
};

/** Validation of documents against the GraphQL schema. */
export function documentChecker(schema: GraphQLSchema, introspection: Introspection) {
  const pipeline = new OperationPipeline(new GraphQLExecutor(schema), introspection, NONE);
  const deprecations = new Deprecations(schema);
  return (text: string) => {
    const document = pipeline.check(text);
    if (!('kind' in document)) {
      const errors = document.flatMap((error) => toDomainError(error).messages.map(String));
      return { errors, deprecated: [], tokens: 0 };
    }
    const { tokenCount = 0 } = document as DocumentNode & { tokenCount?: number };
    const used = document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (deprecations.usedBy(document, definition, {}) ?? []) : [],
    );
    const deprecated = used.map(({ coordinate, reason }) => `${coordinate} is deprecated. ${reason}`);
    return { errors: [], deprecated: [...new Set(deprecated)], tokens: tokenCount };
  };
}

async function checkerOf({ config: { federation, introspection } }: Deps) {
  return documentChecker(await createSchema({ federation }), introspection);
}

function report(terminal: Terminal, text: string, sentences: readonly string[], where = ''): void {
  if (sentences.length === 0) return;
  terminal.stderr.write(`${nameOf(text)}${where}:\n${sentences.map((each) => `  - ${each}\n`).join('')}`);
}

/** A document as its author identifies it. */
function nameOf(text: string): string {
  return /\b(?:query|mutation|subscription)\s+\w+/.exec(text)?.[0] ?? text.slice(0, 60);
}

function countOf(documents: number): string {
  return documents === 1 ? '1 document' : `${documents} documents`;
}
