import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { newThreatBlocker } from '../schema/devices/reader.js';

import { ThreatBlockerSeries } from '../schema/devices/types.js';
import * as inputs from '../schema/devices/inputs.js';
import * as types from '../schema/devices/threat-blocker.js';
import type { CheckRef } from '../services/devices/device-checks.service.js';
import type { ThreatBlockerService } from '../services/devices/device-kinds.js';
import { deviceChangeResolver, readReports, type DeviceNoun, deviceResolver } from './devices.resolver.js';
import { checkResolver, statRows } from './device-checks.resolver.js';

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
  series: ThreatBlockerSeries,
  create: { input: inputs.CreateThreatBlockerInput, payload: types.CreateThreatBlockerPayload },
  update: { input: inputs.UpdateThreatBlockerInput, payload: types.UpdateThreatBlockerPayload },
  remove: { input: inputs.DeleteThreatBlockerInput, payload: types.DeleteThreatBlockerPayload },
  restore: { input: inputs.RestoreThreatBlockerInput, payload: types.RestoreThreatBlockerPayload },
  report: { input: inputs.ReportThreatBlockerCheckInput, payload: types.ReportThreatBlockerCheckPayload },
  idOf: ({ threatBlockerId }) => threatBlockerId,
  readNew: newThreatBlocker,
};

export const ThreatBlockerResolver = deviceResolver(THREAT_BLOCKER);
export const ThreatBlockerChangeResolver = deviceChangeResolver(THREAT_BLOCKER);
export const ThreatBlockerCheckResolver = checkResolver(THREAT_BLOCKER);

/** The second list of a threat blocker's check. */
@Resolver(() => types.ThreatBlockerCheck)
export class ChartStatResolver {
  @FieldResolver()
  chartStat(@Root() root: CheckRef, @Info() info: GraphQLResolveInfo): readonly object[] {
    return statRows(info, root.chartStat);
  }
}

/** What only threat blockers have: a key by which a device knows itself. */
@Resolver()
export class AtbKeyResolver {
  constructor(private readonly devices: ThreatBlockerService) {}

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
    return { threatBlocker: await this.devices.rotateKey(caller, threatBlockerId, selection) };
  }

  @Mutation(() => types.ReportThreatBlockerCheckByKeyPayload, {
    description: 'As `reportThreatBlockerCheck`, for a device that knows nothing of itself but its key.',
  })
  async reportThreatBlockerCheckByKey(
    @Arg('input', () => inputs.ReportThreatBlockerCheckByKeyInput, { description: 'The reports.' })
    input: inputs.ReportThreatBlockerCheckByKeyInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return { receipt: await this.devices.reports.report(caller, { atbKey: input.atbKey }, readReports(input)) };
  }
}
