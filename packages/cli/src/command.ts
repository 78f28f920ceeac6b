import type { Context } from './context.js';
import type { Callable, Given, Option } from './given.js';

export interface Command extends Callable {
  /** One line for the list of commands. */
  summary: string;
  /** Arguments, such as `FILE...`. */
  usage: string;
  /** Further lines of the help. */
  details?: string;
  /** Whether the command continues after its output is closed: it changes or verifies more than one object. */
  goesOnUnread?: true;
  /** Throws the error of the command. */
  run(context: Context, given: Given): Promise<void>;
}

/** Option of commands for one organization. */
export const ORGANIZATION: Readonly<Record<string, Option>> = {
  organization: {
    value: 'ID',
    help: 'the organization; COMPLIANCE_ORGANIZATION or your only one when absent',
  },
};
