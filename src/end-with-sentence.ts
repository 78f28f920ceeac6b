/**
 * The end of a program that cannot go on: one sentence for what an operator can mend (configuration, machine,
 * database), a stack only where the fault is ours. Exit code 1.
 */
export function endWithSentence(error: unknown): void {
  const told = error instanceof Error && OPERATORS_FAULTS.has(error.name);
  process.stderr.write(`${told ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}

const OPERATORS_FAULTS = new Set(['ConfigError', 'StartupFault']);
