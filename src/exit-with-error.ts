import { DomainError } from './errors.js';
import { causeName, rootOf } from './http/outage-log.js';

/**
 * The end of a program that cannot go on: one sentence for what an operator can mend (configuration, machine,
 * database, storage), a stack only for an unexpected error.
 */
export function exitWithError(error: unknown, code: number): never {
  process.stderr.write(`${sentenceOf(error) ?? (error instanceof Error ? error.stack : String(error))}\n`);
  process.exit(code);
}

const OPERATORS_ERRORS = new Set(['ConfigError', 'StartupError']);

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof Error && OPERATORS_ERRORS.has(error.name)) return error.message;
  const cause = error instanceof DomainError ? rootOf(error) : undefined;
  if (cause === undefined) return undefined;
  const { service = 'gateway' } = error as { service?: string };
  const [words = ''] = cause.message.split('\n', 1);
  return `The ${service} is not available (${[causeName(cause), words].filter(Boolean).join(': ')}).`;
}
