import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  Extensions,
  FieldResolver,
  Info,
  Int,
  Query,
  Resolver,
  Root,
  Mutation,
  type ClassType,
} from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { badUserInput } from '../errors.js';
import { batch } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import { OrderBy } from '../schema/shared/order.js';
import { PageArgs } from '../schema/shared/connection.js';
import { DeviceFilter, DeviceOrder, SeriesArgs } from '../schema/devices/inputs.js';
import { changedDevice, type WrittenDevice } from '../schema/devices/reader.js';
import { Organization } from '../schema/organizations/types.js';
import type { CheckRef } from '../services/devices/device-series.js';
import type { DeviceReport } from '../services/devices/device-reports.service.js';
import type { DeviceService } from '../services/devices/devices.service.js';
import type { Services } from '../services/index.js';
import { COSTS, LIMITS } from '../values/limits.js';
import { batchKey, connectionFrom, listSelectionOf, nestedList } from './shared/connection.js';

/**
 * Devices of one kind. Both kinds do the same under their own names, therefore their resolvers are made here; what only
 * one of them can do stands with its noun.
 */
export function deviceResolvers<
  Id extends object,
  Create extends { organizationId: number },
  Update extends Id,
  Report extends Id & SentReports,
>(noun: DeviceNoun<Id, Create, Update, Report>) {
  const { one, many, name, words, plural, idOf } = noun;

  @Resolver(() => Organization)
  class DeviceResolver {
    private readonly devices: DeviceService;

    constructor(services: Services) {
      this.devices = services[many];
    }

    @Query(() => noun.type, { name: one, description: `${capital(words)}; the caller has to manage its organization.` })
    read(
      @Arg('id', () => Int, { description: 'Which configuration.' }) id: number,
      @Ctx() { caller }: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return this.devices.read(caller, { id }, selectionOf(info));
    }

    @Query(() => noun.connection, {
      name: many,
      description: `The ${plural} of one organization, or of all that the caller manages.`,
    })
    async list(
      @Arg('organizationId', () => Int, {
        nullable: true,
        description: 'The organization that has them; all that the caller manages when absent.',
      })
      organizationId: number | null | undefined,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
      @OrderBy(() => DeviceOrder, { field: 'ID', direction: 'ASC' }, 'By id when absent.')
      orderBy: DeviceOrder | null,
      @Ctx() { caller }: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = { page, ...filter, orderBy };
      return connectionFrom(await this.devices.list(caller, organizationId ?? null, query, listSelectionOf(info)));
    }

    @FieldResolver(() => noun.connection, {
      nullable: true,
      description: `Its ${plural}; null with an error for who does not manage it.`,
    })
    [many](
      @Root() { id }: Organization,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
      @OrderBy(() => DeviceOrder, { field: 'ID', direction: 'ASC' }, 'By id when absent.')
      orderBy: DeviceOrder | null,
      @Ctx() context: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = { page, ...filter, orderBy };
      return nestedList(context, info, query, id, {
        authorize: (organization) => this.devices.authorizeList(context.caller, organization),
        load: (organizations, selection) =>
          this.devices.ofOrganizations(context.caller, organizations, query, selection),
      });
    }

    @Mutation(() => noun.create.payload, { name: `create${name}`, description: `Creates ${words}.` })
    async create(
      @Arg('input', () => noun.create.input, { description: 'The configuration.' }) input: Create,
      @Ctx() { caller }: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const values = noun.readNew(input);
      const selection = selectionOf(info).of(one);
      return { [one]: await this.devices.create(caller, input.organizationId, values, selection) };
    }

    @Mutation(() => noun.update.payload, {
      name: `update${name}`,
      description: `Changes ${words}; what is absent stays as it is.`,
    })
    async update(
      @Arg('input', () => noun.update.input, { description: 'The changes.' }) input: Update,
      @Ctx() { caller }: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const values = changedDevice(input);
      return { [one]: await this.devices.update(caller, idOf(input), values, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.remove.payload, {
      name: `delete${name}`,
      description: `Deletes ${words} softly; the caller has to manage its organization (specification 3).`,
    })
    async remove(
      @Arg('input', () => noun.remove.input, { description: 'What to delete.' }) input: Id,
      @Ctx() { caller }: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return { [one]: await this.devices.delete(caller, idOf(input), selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.restore.payload, {
      name: `restore${name}`,
      description: `Restores ${words} that was deleted in the last 30 days; one that is not deleted stays as it is.`,
    })
    async restore(
      @Arg('input', () => noun.restore.input, { description: 'What to restore.' }) input: Id,
      @Ctx() { caller }: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return { [one]: await this.devices.restore(caller, idOf(input), selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.report.payload, {
      name: `report${name}Check`,
      description:
        'Takes what a device found, with a token for telemetry of who manages it. The same report again changes nothing; another one of the same moment is a CONFLICT.',
    })
    async report(
      @Arg('input', () => noun.report.input, { description: 'The reports.' }) input: Report,
      @Ctx() { caller }: GraphQLContext,
    ) {
      return { receipt: await this.devices.reports.report(caller, { id: idOf(input) }, readReports(input)) };
    }
  }

  @Resolver(() => noun.check)
  class CheckResolver {
    private readonly devices: DeviceService;

    constructor(services: Services) {
      this.devices = services[many];
    }

    @FieldResolver()
    webStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
      return statRows(info, root.webStat);
    }

    @Extensions({ cost: COSTS.deviceSeries })
    @FieldResolver(() => noun.series, {
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
  return [DeviceResolver, CheckResolver];
}

/** Reports as services know them: what was not sent is empty. */
export function readReports({ reports }: SentReports): DeviceReport[] {
  return (reports as Partial<DeviceReport>[]).map(
    (report) => ({ ...report, webStat: report.webStat ?? null, chartStat: report.chartStat ?? [] }) as DeviceReport,
  );
}

/** One kind of device as the schema speaks of it: its names, its types, and how its inputs are read. */
export interface DeviceNoun<
  Id extends object,
  Create extends { organizationId: number },
  Update extends Id,
  Report extends Id,
> {
  /** `cloudDefender`: the query of one, and the record in payloads. */
  one: string;
  /** The query of many, the list of an organization, and the service. */
  many: 'cloudDefenders' | 'threatBlockers';
  /** `CloudDefender`, as mutations end. */
  name: string;
  /** `an edge-protection configuration` */
  words: string;
  /** `edge-protection configurations` */
  plural: string;
  type: ClassType;
  connection: ClassType;
  check: ClassType;
  series: ClassType;
  create: Change<Create>;
  update: Change<Update>;
  remove: Change<Id>;
  restore: Change<Id>;
  report: Change<Report>;
  idOf: (input: Id) => number;
  readNew: (input: Create) => WrittenDevice;
}

interface Change<Input> {
  input: ClassType<Input & object>;
  payload: ClassType;
}

/** What a device sends of itself; it has not passed its rules. */
interface SentReports {
  reports: readonly object[];
}

function capital(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

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
