import type { GraphQLResolveInfo } from 'graphql';
import { Args, type ClassType, Ctx, Extensions, Info, Int, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { batch } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import * as inputs from '../schema/devices/inputs.js';
import * as reportInputs from '../schema/devices/report-inputs.js';
import * as types from '../schema/devices/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import type { CheckRef } from '../services/devices/device-series.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Call, FieldResolver, Filter, Input, ListCall, Mutation, OrderBy, Query } from './shared/decorators.js';
import { batchKey, connectionFrom, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import {
  addressOf,
  type ChangeOfDevice,
  type DeviceName,
  readDevice,
  readReports,
  type SentReports,
} from './device-input.js';
import { OperationBudget } from './shared/operation-budget.js';

/** One kind of device as the schema speaks of it: its names and its types. */
interface DeviceNoun {
  one: DeviceName;
  words: string;
  plural: string;
  type: ClassType;
  check: ClassType;
  series: ClassType;
  create: ClassType;
  update: ClassType;
  remove: ClassType;
  restore: ClassType;
  report: ClassType;
  reportMany: ClassType;
  /** Fields that a new one may come without, which are empty then. */
  optional: object;
  /** Description of the record in the answer to its deletion. */
  removed: string;
}

const CLOUD_DEFENDER: DeviceNoun = {
  one: 'cloudDefender',
  words: 'an edge-protection configuration',
  plural: 'edge-protection configurations',
  type: types.CloudDefender,
  check: types.CloudDefenderCheck,
  series: types.DeviceSeries,
  create: inputs.CreateCloudDefenderInput,
  update: inputs.UpdateCloudDefenderInput,
  remove: inputs.DeleteCloudDefenderInput,
  restore: inputs.RestoreCloudDefenderInput,
  report: reportInputs.ReportCloudDefenderCheckInput,
  reportMany: reportInputs.ReportCloudDefenderChecksInput,
  optional: { services: null },
  // Specification 4.5.
  removed: 'The record as it was.',
};

const THREAT_BLOCKER: DeviceNoun = {
  one: 'threatBlocker',
  words: 'a threat-blocker configuration',
  plural: 'threat-blocker configurations',
  type: types.ThreatBlocker,
  check: types.ThreatBlockerCheck,
  series: types.ThreatBlockerSeries,
  create: inputs.CreateThreatBlockerInput,
  update: inputs.UpdateThreatBlockerInput,
  remove: inputs.DeleteThreatBlockerInput,
  restore: inputs.RestoreThreatBlockerInput,
  report: reportInputs.ReportThreatBlockerCheckInput,
  reportMany: reportInputs.ReportThreatBlockerChecksInput,
  optional: { services: null, plugin: null, privateIP: null, deviceId: null },
  // Specification 4.6.
  removed: 'The record as it was.',
};

const FILTER = [() => inputs.DeviceFilter, 'Which of them.'] as const;
const BY_ID: Parameters<typeof OrderBy<inputs.DeviceOrder['field']>> = [
  () => inputs.DeviceOrder,
  { field: 'ID', direction: 'ASC' },
  'By id when absent.',
];
const ROWS = {
  rows: [() => [types.DeviceReportRow], 'What has become of each, in the order in which they were sent.'],
  totalCount: [() => Int, 'How many they are.'],
} as const;
const RECEIPT = { receipt: [() => types.DeviceReceipt, 'What became of the reports.'] } as const;

/** The answer to a change that leaves the record there. */
function changed(mutation: string): { name: string; result: string } {
  return { name: mutation, result: `What \`${mutation}\` answers.` };
}

/**
 * Devices of one kind. Both kinds do the same under their own names, therefore their resolvers are made here; what only
 * one of them can do stands below.
 */
function deviceResolvers(noun: DeviceNoun) {
  const { one, words, plural } = noun;
  const name = capital(one);
  const many = `${one}s` as const;
  const record = { [one]: [() => noun.type, 'The record as it is now.'] } as const;
  const idOf = (input: object) => (input as Record<string, number>)[`${one}Id`] as number;
  const keyOf = (input: ChangeOfDevice) => ({ id: idOf(input), version: input.version ?? null });

  @Resolver()
  class DeviceResolver {
    @Query(() => noun.type, `${capital(words)}. Requires ORGANIZATION_MANAGER.`, { name: one })
    read(
      @Arg('id', () => SafeIntScalar, 'Which configuration.') id: number,
      @Call() { services, caller, selection }: Call,
    ) {
      return services[many].read(caller, { id }, selection);
    }

    @Query(
      connectionOf(noun.type),
      `The ${plural} of one organization, which requires ORGANIZATION_MANAGER, or of all that the caller manages.`,
      {
        name: many,
      },
    )
    async list(
      @Arg(
        'organizationId',
        () => SafeIntScalar,
        'The organization that has them; all that the caller manages when absent.',
        {
          nullable: true,
        },
      )
      organizationId: number | null | undefined,
      @Args(() => PageArgs) page: PageArgs,
      @Filter(...FILTER) filter: inputs.DeviceFilter | null,
      @OrderBy(...BY_ID) orderBy: inputs.DeviceOrder | null,
      @ListCall() { services, caller, selection }: ListCall,
    ) {
      const query = { page, ...filter, orderBy };
      return connectionFrom(await services[many].list(caller, organizationId ?? null, query, selection));
    }

    @Mutation(`Creates ${words}. Requires ORGANIZATION_MANAGER.`, record, { ...changed(`create${name}`), adds: one })
    async create(
      @Arg('input', () => noun.create, 'The configuration.') input: { organizationId: number },
      @Call(one) { services, caller, selection }: Call,
    ) {
      const values = { ...readDevice(noun.optional), ...readDevice(input) };
      return { [one]: await services[many].create(caller, input.organizationId, values, selection) };
    }

    @Mutation(
      `Changes ${words}; what is absent stays as it is. Requires ORGANIZATION_MANAGER.`,
      record,
      changed(`update${name}`),
    )
    async update(
      @Arg('input', () => noun.update, 'The changes.') input: ChangeOfDevice,
      @Call(one) { services, caller, selection }: Call,
    ) {
      return { [one]: await services[many].update(caller, keyOf(input), readDevice(input), selection) };
    }

    // Specification 3.
    @Mutation(
      `Deletes ${words} softly. Requires ORGANIZATION_MANAGER.`,
      { [one]: [() => noun.type, noun.removed] },
      { name: `delete${name}` },
    )
    async remove(
      @Arg('input', () => noun.remove, 'What to delete.') input: ChangeOfDevice,
      @Call(one) { services, caller, selection }: Call,
    ) {
      return { [one]: await services[many].delete(caller, keyOf(input), selection) };
    }

    @Mutation(
      `Restores ${words} that was deleted in the last 30 days; one that is not deleted stays as it is. Requires ORGANIZATION_MANAGER.`,
      record,
      changed(`restore${name}`),
    )
    async restore(
      @Arg('input', () => noun.restore, 'What to restore.') input: object,
      @Call(one) { services, caller, selection }: Call,
    ) {
      return { [one]: await services[many].restore(caller, idOf(input), selection) };
    }

    @Mutation(
      'Takes what a device found, with a token for telemetry of who manages it. The same report again changes nothing; another one of the same moment is a CONFLICT. Requires ORGANIZATION_MANAGER.',
      RECEIPT,
      { name: `report${name}Check` },
    )
    async report(
      @Arg('input', () => noun.report, 'The reports.') input: SentReports,
      @Ctx() { services, caller }: GraphQLContext,
    ) {
      return { receipt: await services[many].reports.report(caller, { id: idOf(input) }, readReports(input)) };
    }

    @Extensions({ cost: COSTS.manyReports, itemsOf: ['input.reports'], items: LIMITS.check.reportsOfMany })
    @Mutation(
      `Takes what up to 500 ${plural} found, of all organizations for which the caller may report: one result for each report. One that is refused changes nothing, and the others are stored together.`,
      ROWS,
      { name: `report${name}Checks` },
    )
    async reportMany(
      @Arg('input', () => noun.reportMany, 'The reports.') input: SentReports,
      @Ctx() { services, caller }: GraphQLContext,
    ) {
      const sent = readReports(input).map((report, index) => ({ report, ...addressOf(input.reports[index]!, one) }));
      const rows = await services[many].reports.reportMany(caller, sent);
      return { rows, totalCount: rows.length };
    }
  }

  @Resolver(() => noun.check)
  class CheckResolver {
    @FieldResolver(
      () => [types.WebStat],
      'Its reports of web traffic of the last seven days, oldest first; of more than 500 the newest.',
    )
    webStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
      return statRows(info, root.webStat);
    }

    @Extensions({ cost: COSTS.deviceSeries })
    @FieldResolver(
      () => noun.series,
      'Its reports in buckets of an hour or a day, 2,200 at most. Reports are kept for 90 days at least.',
    )
    series(
      @Root() { deviceId }: CheckRef,
      @Args(() => reportInputs.SeriesArgs) query: reportInputs.SeriesArgs,
      @Ctx() context: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      POINTS.take(info, context.services[many].series.bucketsOf(query));
      const selection = selectionOf(info);
      const key = batchKey(`${info.parentType.name}.series`, query, selection);
      return batch(context, key, deviceId, (ids: readonly number[]) =>
        context.services[many].series.ofDevices(ids, query, selection),
      );
    }
  }

  const ofOrganization = listOfOrganization(many, noun.type, {
    description: `Its ${plural}; null with an error for who does not manage it.`,
    nullable: true,
    filter: FILTER,
    orderBy: BY_ID,
    authorize: (services, caller, id) => services[many].authorizeList(caller, id),
    load: (services, ids, query, selection, caller) => services[many].ofOrganizations(caller, ids, query, selection),
  });
  nodeOf(noun.type, [`${one}Id`], (services, caller, input, selection) =>
    services[many].read(caller, { id: idOf(input) }, selection),
  );
  return [DeviceResolver, CheckResolver, ofOrganization];
}

/** Parts of threat blockers alone: a second list of their check, and a key by which a device knows itself. */
@Resolver(() => types.ThreatBlockerCheck)
class ThreatBlockerResolver {
  @FieldResolver(
    () => [types.ChartStat],
    'Its traffic of the last seven days by buckets of time, oldest first; of more than 500 the newest.',
  )
  chartStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
    return statRows(info, root.chartStat);
  }

  @Mutation(
    'Gives a threat-blocker configuration another key; the one before is dead at once. Requires ORGANIZATION_MANAGER.',
    { threatBlocker: [() => types.ThreatBlocker, 'The record as it is now.'] },
    changed('rotateAtbKey'),
  )
  async rotateAtbKey(
    @Input('The configuration that gets a new key.') { threatBlockerId: id, version = null }: inputs.RotateAtbKeyInput,
    @Call('threatBlocker') { services, caller, selection }: Call,
  ) {
    return { threatBlocker: await services.threatBlockers.rotateKey(caller, { id, version }, selection) };
  }

  @Mutation(
    'As `reportThreatBlockerCheck`, for a device that knows nothing of itself but its key. Requires ORGANIZATION_MANAGER.',
    RECEIPT,
  )
  async reportThreatBlockerCheckByKey(
    @Input('The reports.') input: reportInputs.ReportThreatBlockerCheckByKeyInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const { reports } = services.threatBlockers;
    return { receipt: await reports.report(caller, { atbKey: input.atbKey }, readReports(input)) };
  }
}

export const DEVICE_RESOLVERS = [
  ...deviceResolvers(CLOUD_DEFENDER),
  ...deviceResolvers(THREAT_BLOCKER),
  ThreatBlockerResolver,
];

function capital(words: string): string {
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

const POINTS = new OperationBudget(LIMITS.check.seriesBucketsInAll, 'the buckets of all series of an operation');
const STAT_ROWS = new OperationBudget(
  LIMITS.check.statRowsInAll,
  'the rows of all web_stat and chart_stat of an operation',
);

/** Rows that are to be answered, once it is known that they are not too many. */
function statRows(info: GraphQLResolveInfo, rows: readonly object[]): readonly object[] {
  STAT_ROWS.take(info, rows.length);
  return rows;
}
