import pino, { type Logger } from 'pino';
import { traceId } from './common/tracing.js';

export type { Logger };

/**
 * Structured logs, one JSON object a line. Nothing that could contain a token is logged (paths are logged
 * without their query); the redaction below is a second net, not the first. With `traced`, lines have the id of their trace.
 */
export function createLogger(level: string, traced = false): Logger {
  const output = pino.destination({ minLength: 1, maxLength: MOST_WAITING });
  const log = pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['token', '*.token', 'headers', '*.headers', 'authorization', '*.secretKey'],
        censor: '[redacted]',
      },
      serializers: { err: errorForLog },
      ...(traced && { mixin: traceOfLine }),
    },
    output,
  );
  outliveFailures(output, (lines) => log.warn({ lines }, 'lines of the log were dropped: they could not be written'));
  return log;
}

/** Bytes of lines waiting for a failed write; further ones are dropped. */
const MOST_WAITING = 16 * 1024 * 1024;

/** A full disk does not end the process: lines are written with the next successful write. */
function outliveFailures(output: ReturnType<typeof pino.destination>, notify: (lines: number) => void): void {
  const flushSync = output.flushSync.bind(output);
  let [isFailing, dropped] = [false, 0];
  output.on('error', () => (isFailing = true));
  output.on('drop', () => {
    dropped += 1;
    output.flush();
  });
  output.on('write', () => (isFailing = false));
  output.on('drain', () => {
    const lines = dropped;
    dropped = 0;
    if (lines > 0) notify(lines);
  });
  // It would retry forever.
  output.flushSync = () => (isFailing ? undefined : flushSync());
}

function traceOfLine(): object {
  const id = traceId();
  return id === undefined ? {} : { traceId: id };
}

/**
 * An error as the log may have it: what kind, its first sentence, where. A database's error repeats whole rows in its
 * details, and the ORM's repeats the statement: neither belongs in a log.
 */
export function errorForLog(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return { message: shortened(String(error)) };
  const { name, code, cause, stack } = error as Partial<Error> & { code?: unknown };
  return {
    ...(error instanceof Error ? { type: name } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    message: shortened(messageOf(error)),
    stack: (stack ?? '').split('\n').filter((line) => line.startsWith('    at ')),
    ...(cause instanceof Error ? { cause: errorForLog(cause) } : {}),
  };
}

/** The job queue reports plain objects, and an AggregateError has no message of its own. */
function messageOf(error: object): string {
  const { message, errors } = error as { message?: unknown; errors?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  if (Array.isArray(errors)) return errors.map((each: Error) => each.message).join('; ');
  return error instanceof Error ? error.name : `an object with ${Object.keys(error).join(', ') || 'no keys'}`;
}

const DIGEST = /\b[0-9a-f]{64}\b/g;

function shortened(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, 300).replaceAll(DIGEST, '[digest]');
}
