import 'reflect-metadata';
import module from 'node:module';
import { StartupError } from './errors.js';
import { exitWithError } from './exit-with-error.js';

type Environment = Record<string, string | undefined>;

/** Commands by the first argument, with the following ones; returns the exit code of those that end by themselves. */
const COMMANDS: Readonly<Record<string, (args: string[], env: Environment) => Promise<number | void>>> = {
  serve: async (_args, env) => (await import('./app/server.js')).serve(env),
  migrate: async (_args, env) => (await import('./app/migrate-only.js')).migrateOnly(env),
  bootstrap: async (args, env) => (await import('./app/bootstrap.js')).bootstrap(args, env),
  storage: async (args, env) => (await import('./app/storage-command.js')).storage(args, env),
  documents: async (args, env) => (await import('./app/documents-command.js')).documents(args, env),
  backup: async (args, env) => (await import('./app/backup-command.js')).backupCommand(['backup', ...args], env),
  restore: async (args, env) => (await import('./app/backup-command.js')).backupCommand(['restore', ...args], env),
};

const WITHOUT_ARGUMENTS: ReadonlySet<string> = new Set(['serve', 'migrate']);

/** Commands whose exit code 1 is a finding, such as a missing file; failing to run is 2. */
const FINDING: ReadonlySet<string> = new Set(['storage', 'documents', 'backup', 'restore']);

// Acts when it is imported. Other modules are imported after the check, because an older Node fails at their syntax.
const [name = 'serve', ...args] = process.argv.slice(2);
try {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 17))
    throw new StartupError(
      `The gateway needs Node 22.17 or newer, this is Node ${node}: npm start finds the one that is installed with it.`,
    );
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined)
    throw new StartupError(`${name} is no command of the gateway: ${Object.keys(COMMANDS).join(', ')}.`);
  // Arguments are refused: a migration must not run in spite of an option that was meant to rehearse it.
  if (WITHOUT_ARGUMENTS.has(name) && args.length > 0) throw new StartupError(`${name} takes no arguments.`);
  // The cache shortens the next start, most of which is loading modules.
  module.enableCompileCache();
  process.exitCode = (await command(args, process.env)) ?? process.exitCode;
} catch (error) {
  exitWithError(error, FINDING.has(name) ? 2 : 1);
}
