/**
 * The end of a program that cannot go on: one sentence for what an operator can mend (configuration, machine,
 * database), a stack only for an unexpected error. Exit code 1.
 */
export function exitWithError(error: unknown): void {
  const isExpected = error instanceof Error && OPERATORS_ERRORS.has(error.name);
  process.stderr.write(`${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}

const OPERATORS_ERRORS = new Set(['ConfigError', 'StartupError']);
