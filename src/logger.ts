import pino, { type Logger } from 'pino';

export type { Logger };

/**
 * Structured logs, one JSON object a line. Nothing that could hold a token is ever handed to it (paths are logged
 * without their query); the redaction below is a second net, not the first.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['token', '*.token', 'headers', '*.headers', 'authorization', '*.secretKey'],
      censor: '[redacted]',
    },
    serializers: { err: pino.stdSerializers.err },
  });
}
