import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  type ClassType,
  Ctx,
  FieldResolver,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import { Allowance } from '../engine/allowance.js';
import { batch } from '../engine/batch.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { DeviceFilter, type DeviceIdInput, DeviceOrder, SeriesArgs } from '../schema/device.input.js';
import { checkDeviceFilter, type WrittenDevice } from '../schema/device.rules.js';
import { checkReports } from '../schema/device-report.rules.js';
import { Organization } from '../schema/organization.type.js';
import type { CheckRef } from '../services/device-checks.js';
import type { DeviceQuery, DeviceService } from '../services/devices.js';
import type { DeviceReport } from '../services/report-store.js';
import { LIMITS } from '../vocabulary/limits.js';
import { batchKey } from './batch-key.js';
import { askedOf, connectionFrom } from './connection.js';
import { nestedList } from './nested-list.js';

/** One kind of device as the schema speaks of it: its names, its types, and how its inputs are read. */
export interface DeviceNoun<
  Create extends { organizationId: number },
  Update extends { id: number },
  Report extends object,
> {
  /** `cloudDefender`: the query of one, and the record in payloads. */
  one: string;
  /** `cloudDefenders`: the query of many, and the list of an organization. */
  many: string;
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
  remove: Change<DeviceIdInput>;
  restore: Change<DeviceIdInput>;
  report: Change<Report>;
  read: { new: (input: Create) => WrittenDevice; changed: (input: Update) => WrittenDevice };
}

interface Change<Input> {
  input: ClassType<Input & object>;
  payload: ClassType;
}

/** The reports of an input as services know them: what was not sent is empty. */
export interface SentReports {
  id: number;
  reports: readonly object[];
}

/**
 * What clients can do with devices of one kind. Both kinds do the same under their own names, therefore their resolvers
 * are made here; what only one of them can do stands with its noun.
 */
export function deviceResolver<
  Create extends { organizationId: number },
  Update extends { id: number },
  Report extends SentReports,
>(noun: DeviceNoun<Create, Update, Report>) {
  const { one, many, name, words, plural } = noun;

  @Resolver(() => Organization)
  class DeviceResolver {
    constructor(private readonly devices: DeviceService) {}

    @Query(() => noun.type, { name: one, description: `${capital(words)}; the caller has to manage its organization.` })
    read(
      @Arg('id', () => Int, { description: 'Which configuration.' }) id: number,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return this.devices.read(caller, id, selectionOf(info));
    }

    @Query(() => noun.connection, {
      name: many,
      description: `The ${plural} of one organization, or of all that the caller manages.`,
    })
    async list(
      @Arg('organizationId', () => Int, {
        nullable: true,
        description: 'Whose; all that the caller manages when absent.',
      })
      organizationId: number | null | undefined,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
      @Arg('orderBy', () => DeviceOrder, { nullable: true, description: 'By id when absent.' })
      orderBy: DeviceOrder | null,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = queryOf(page, filter, orderBy);
      return connectionFrom(await this.devices.list(caller, organizationId ?? null, query, askedOf(info)));
    }

    @Mutation(() => noun.create.payload, { name: `create${name}`, description: `Creates ${words}.` })
    async create(
      @Arg('input', () => noun.create.input, { description: 'The configuration.' }) input: Create,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const values = noun.read.new(input);
      const asked = selectionOf(info).of(one);
      return { [one]: await this.devices.changes.create(caller, input.organizationId, values, asked) };
    }

    @Mutation(() => noun.update.payload, {
      name: `update${name}`,
      description: `Changes ${words}; what is absent stays as it is.`,
    })
    async update(
      @Arg('input', () => noun.update.input, { description: 'The changes.' }) input: Update,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const values = noun.read.changed(input);
      return { [one]: await this.devices.changes.update(caller, input.id, values, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.remove.payload, {
      name: `delete${name}`,
      description: `Deletes ${words} softly; the caller has to manage its organization (specification 3).`,
    })
    async remove(
      @Arg('input', () => noun.remove.input, { description: 'What to delete.' }) { id }: DeviceIdInput,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return { [one]: await this.devices.changes.delete(caller, id, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.restore.payload, {
      name: `restore${name}`,
      description: `Restores ${words} that was deleted in the last 30 days; one that is not deleted stays as it is.`,
    })
    async restore(
      @Arg('input', () => noun.restore.input, { description: 'What to restore.' }) { id }: DeviceIdInput,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return { [one]: await this.devices.changes.restore(caller, id, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.report.payload, {
      name: `report${name}Check`,
      description:
        'Takes what a device found, with a token for telemetry of who manages it. The same report again changes nothing; another one of the same moment is a CONFLICT.',
    })
    async report(
      @Arg('input', () => noun.report.input, { description: 'The reports.' }) input: Report,
      @Ctx() { caller }: RequestContext,
    ) {
      const { reports } = this.devices;
      checkReports(input, reports.window());
      return { receipt: await reports.report(caller, { id: input.id }, readReports(input)) };
    }

    @FieldResolver(() => noun.connection, {
      nullable: true,
      description: `Its ${plural}; null with an error for who does not manage it.`,
    })
    [many](
      @Root() { id }: Organization,
      @Args(() => PageArgs) page: PageArgs,
      @Arg('filter', () => DeviceFilter, { nullable: true, description: 'Which of them.' }) filter: DeviceFilter | null,
      @Arg('orderBy', () => DeviceOrder, { nullable: true, description: 'By id when absent.' })
      orderBy: DeviceOrder | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = queryOf(page, filter, orderBy);
      return nestedList(context, info, query, id, {
        authorize: (organization) => this.devices.authorizeList(context.caller, organization),
        load: (organizations, asked) => this.devices.ofOrganizations(context.caller, organizations, query, asked),
      });
    }
  }
  return DeviceResolver;
}

const POINTS = new Allowance(LIMITS.check.seriesBucketsInAll, 'the buckets of all series of an operation');
const STAT_ROWS = new Allowance(LIMITS.check.statRowsInAll, 'the rows of all web_stat and chart_stat of an operation');

/** Rows that are to be answered, once it is known that they are not too many. */
export function statRows(info: GraphQLResolveInfo, rows: readonly object[]): readonly object[] {
  STAT_ROWS.take(info, rows.length);
  return rows;
}

/** The series of a check: who was given the check was allowed to read the device. */
export function checkResolver({ check, series }: Pick<DeviceNoun<never, never, never>, 'check' | 'series'>) {
  @Resolver(() => check)
  class CheckResolver {
    constructor(private readonly devices: DeviceService) {}

    @FieldResolver()
    webStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
      return statRows(info, root.webStat);
    }

    @FieldResolver(() => series, {
      description: 'Its reports in buckets of an hour or a day, 2,200 at most. Reports are kept for 90 days.',
    })
    series(
      @Root() { deviceId }: CheckRef,
      @Args(() => SeriesArgs) query: SeriesArgs,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      POINTS.take(info, this.devices.series.bucketsOf(query));
      const asked = selectionOf(info);
      const key = batchKey(`${info.parentType.name}.series`, query, asked);
      return batch(context, key, deviceId, (ids: readonly number[]) =>
        this.devices.series.ofDevices(ids, query, asked),
      );
    }
  }
  return CheckResolver;
}

/** Call it when the reports have passed their rules. */
export function readReports({ reports }: Pick<SentReports, 'reports'>): DeviceReport[] {
  return (reports as Partial<DeviceReport>[]).map(
    (report) => ({ ...report, webStat: report.webStat ?? null, chartStat: report.chartStat ?? [] }) as DeviceReport,
  );
}

function queryOf(page: PageArgs, filter: DeviceFilter | null, orderBy: DeviceOrder | null): DeviceQuery {
  checkDeviceFilter(filter);
  return {
    page,
    ...(filter as object),
    sort: orderBy?.field,
    descending: orderBy?.direction === 'DESC',
  } as DeviceQuery;
}

function capital(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}
