import type { GraphQLResolveInfo } from 'graphql';
import { badUserInput } from '../../errors.js';

/**
 * A limit of one operation for something that no page bounds, such as the points of series, over all its fields,
 * aliases and lists.
 */
export class OperationBudget {
  /**
   * By the values of the operation's variables: an object that each execution makes anew, for each event of a
   * subscription as well, whose context stays.
   */
  private readonly taken = new WeakMap<object, number>();

  constructor(
    private readonly limit: number,
    private readonly words: string,
  ) {}

  /** Counts before anything is loaded. Throws BAD_USER_INPUT when the sum exceeds the budget. */
  take({ variableValues }: Pick<GraphQLResolveInfo, 'variableValues'>, count: number): void {
    const taken = (this.taken.get(variableValues) ?? 0) + count;
    this.taken.set(variableValues, taken);
    if (taken > this.limit) throw badUserInput([`${this.words} must not be more than ${this.limit}`]);
  }
}
