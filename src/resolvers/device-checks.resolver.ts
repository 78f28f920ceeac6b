import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { badUserInput } from '../errors.js';
import { batch } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import { SeriesArgs } from '../schema/devices/inputs.js';
import type { CheckRef } from '../services/devices/device-checks.service.js';
import type { DeviceService } from '../services/devices/devices.service.js';
import { COSTS, LIMITS } from '../values/limits.js';
import { batchKey } from './shared/connection.js';
import type { DeviceNoun } from './devices.resolver.js';

/**
 * What one operation may select of something that no page bounds, such as the points of series, over all its fields,
 * aliases and lists.
 */
class OperationBudget {
  /**
   * By the values of the operation's variables: an object that each execution makes anew, for each event of a
   * subscription as well, whose context stays.
   */
  private readonly taken = new WeakMap<object, number>();

  constructor(
    private readonly limit: number,
    private readonly words: string,
  ) {}

  /** Counts before anything is loaded. Throws BAD_USER_INPUT when it is too much together with what was taken before. */
  take({ variableValues }: Pick<GraphQLResolveInfo, 'variableValues'>, count: number): void {
    const taken = (this.taken.get(variableValues) ?? 0) + count;
    this.taken.set(variableValues, taken);
    if (taken > this.limit) throw badUserInput([`${this.words} must not be more than ${this.limit}`]);
  }
}

const POINTS = new OperationBudget(LIMITS.check.seriesBucketsInAll, 'the buckets of all series of an operation');
const STAT_ROWS = new OperationBudget(
  LIMITS.check.statRowsInAll,
  'the rows of all web_stat and chart_stat of an operation',
);

/** Rows that are to be answered, once it is known that they are not too many. */
export function statRows(info: GraphQLResolveInfo, rows: readonly object[]): readonly object[] {
  STAT_ROWS.take(info, rows.length);
  return rows;
}

/** The series of a check: who was given the check was allowed to read the device. */
export function checkResolver({ check, series }: Pick<DeviceNoun<never, never, never, never>, 'check' | 'series'>) {
  @Resolver(() => check)
  class CheckResolver {
    constructor(private readonly devices: DeviceService) {}

    @FieldResolver()
    webStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
      return statRows(info, root.webStat);
    }

    @Extensions({ cost: COSTS.deviceSeries })
    @FieldResolver(() => series, {
      description: 'Its reports in buckets of an hour or a day, 2,200 at most. Reports are kept for 90 days at least.',
    })
    series(
      @Root() { deviceId }: CheckRef,
      @Args(() => SeriesArgs) query: SeriesArgs,
      @Ctx() context: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      POINTS.take(info, this.devices.series.bucketsOf(query));
      const selection = selectionOf(info);
      const key = batchKey(`${info.parentType.name}.series`, query, selection);
      return batch(context, key, deviceId, (ids: readonly number[]) =>
        this.devices.series.ofDevices(ids, query, selection),
      );
    }
  }
  return CheckResolver;
}
