import type { Context } from './context.js';
import type { Callable, Given, Option } from './given.js';

export interface Command extends Callable {
  /** One line of the list of commands. */
  summary: string;
  /** Its arguments, such as `FILE...`. */
  usage: string;
  /** Further lines of its help. */
  details?: string;
  /** Whether it goes on when nothing reads its output any more: it changes or judges more than one thing. */
  goesOnUnread?: true;
  /** Throws what the command failed with. */
  run(context: Context, given: Given): Promise<void>;
}

/** An option of commands that are about one organization. */
export const ORGANIZATION: Readonly<Record<string, Option>> = {
  organization: {
    value: 'ID',
    help: 'the organization; COMPLIANCE_ORGANIZATION or your only one when absent',
  },
};
