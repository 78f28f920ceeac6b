/**
 * Exit codes of commands, for scripts; docs/cli.md says when each is used. 128 and the number of the signal where one
 * ended it.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, noAccess: 3, temporary: 4 } as const;

/** The command line was not understood: nothing was sent. */
export class UsageError extends Error {}

/** A failure that says what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}
