import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import * as inputs from '../schema/devices/inputs.js';
import { newCloudDefender, newThreatBlocker } from '../schema/devices/reader.js';
import * as types from '../schema/devices/types.js';
import type { CheckRef } from '../services/devices/device-series.js';
import type { Services } from '../services/index.js';
import { deviceResolvers, readReports, statRows, type DeviceNoun } from './devices.resolver.js';

const CLOUD_DEFENDER: DeviceNoun<
  inputs.CloudDefenderIdInput,
  inputs.CreateCloudDefenderInput,
  inputs.UpdateCloudDefenderInput,
  inputs.ReportCloudDefenderCheckInput
> = {
  one: 'cloudDefender',
  many: 'cloudDefenders',
  name: 'CloudDefender',
  words: 'an edge-protection configuration',
  plural: 'edge-protection configurations',
  type: types.CloudDefender,
  connection: types.CloudDefenderConnection,
  check: types.CloudDefenderCheck,
  series: types.DeviceSeries,
  create: { input: inputs.CreateCloudDefenderInput, payload: types.CreateCloudDefenderPayload },
  update: { input: inputs.UpdateCloudDefenderInput, payload: types.UpdateCloudDefenderPayload },
  remove: { input: inputs.DeleteCloudDefenderInput, payload: types.DeleteCloudDefenderPayload },
  restore: { input: inputs.RestoreCloudDefenderInput, payload: types.RestoreCloudDefenderPayload },
  report: { input: inputs.ReportCloudDefenderCheckInput, payload: types.ReportCloudDefenderCheckPayload },
  idOf: ({ cloudDefenderId }) => cloudDefenderId,
  readNew: newCloudDefender,
};

const THREAT_BLOCKER: DeviceNoun<
  inputs.ThreatBlockerIdInput,
  inputs.CreateThreatBlockerInput,
  inputs.UpdateThreatBlockerInput,
  inputs.ReportThreatBlockerCheckInput
> = {
  one: 'threatBlocker',
  many: 'threatBlockers',
  name: 'ThreatBlocker',
  words: 'a threat-blocker configuration',
  plural: 'threat-blocker configurations',
  type: types.ThreatBlocker,
  connection: types.ThreatBlockerConnection,
  check: types.ThreatBlockerCheck,
  series: types.ThreatBlockerSeries,
  create: { input: inputs.CreateThreatBlockerInput, payload: types.CreateThreatBlockerPayload },
  update: { input: inputs.UpdateThreatBlockerInput, payload: types.UpdateThreatBlockerPayload },
  remove: { input: inputs.DeleteThreatBlockerInput, payload: types.DeleteThreatBlockerPayload },
  restore: { input: inputs.RestoreThreatBlockerInput, payload: types.RestoreThreatBlockerPayload },
  report: { input: inputs.ReportThreatBlockerCheckInput, payload: types.ReportThreatBlockerCheckPayload },
  idOf: ({ threatBlockerId }) => threatBlockerId,
  readNew: newThreatBlocker,
};

/** What only threat blockers have: a second list of their check, and a key by which a device knows itself. */
@Resolver(() => types.ThreatBlockerCheck)
class ThreatBlockerResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver()
  chartStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
    return statRows(info, root.chartStat);
  }

  @Mutation(() => types.RotateAtbKeyPayload, {
    description: 'Gives a threat-blocker configuration another key; the one before is dead at once.',
  })
  async rotateAtbKey(
    @Arg('input', () => inputs.RotateAtbKeyInput, { description: 'The configuration that gets a new key.' })
    { threatBlockerId }: inputs.RotateAtbKeyInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('threatBlocker');
    return { threatBlocker: await this.services.threatBlockers.rotateKey(caller, threatBlockerId, selection) };
  }

  @Mutation(() => types.ReportThreatBlockerCheckByKeyPayload, {
    description: 'As `reportThreatBlockerCheck`, for a device that knows nothing of itself but its key.',
  })
  async reportThreatBlockerCheckByKey(
    @Arg('input', () => inputs.ReportThreatBlockerCheckByKeyInput, { description: 'The reports.' })
    input: inputs.ReportThreatBlockerCheckByKeyInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return {
      receipt: await this.services.threatBlockers.reports.report(caller, { atbKey: input.atbKey }, readReports(input)),
    };
  }
}

export const DEVICE_RESOLVERS = [
  ...deviceResolvers(CLOUD_DEFENDER),
  ...deviceResolvers(THREAT_BLOCKER),
  ThreatBlockerResolver,
];
