/**
 * Exit codes of commands, for scripts; docs/cli.md lists their meanings. A command ended by a signal exits with 128
 * plus its number.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, noAccess: 3, temporary: 4 } as const;

/** Invalid command line: nothing was sent. */
export class UsageError extends Error {}

/** A failure whose message includes the remedy. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}
