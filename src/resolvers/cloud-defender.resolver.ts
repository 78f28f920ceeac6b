import * as inputs from '../schema/cloud-defender.input.js';
import * as types from '../schema/cloud-defender.type.js';
import { changedCloudDefender, newCloudDefender } from '../schema/device.rules.js';
import { DeviceSeries } from '../schema/device.type.js';
import { deviceChangeResolver } from './device-change.resolver.js';
import { checkResolver } from './device-check.resolver.js';
import type { DeviceNoun } from './device-noun.js';
import { deviceResolver } from './device.resolver.js';

const CLOUD_DEFENDER: DeviceNoun<
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
  series: DeviceSeries,
  create: { input: inputs.CreateCloudDefenderInput, payload: types.CreateCloudDefenderPayload },
  update: { input: inputs.UpdateCloudDefenderInput, payload: types.UpdateCloudDefenderPayload },
  remove: { input: inputs.DeleteCloudDefenderInput, payload: types.DeleteCloudDefenderPayload },
  restore: { input: inputs.RestoreCloudDefenderInput, payload: types.RestoreCloudDefenderPayload },
  report: { input: inputs.ReportCloudDefenderCheckInput, payload: types.ReportCloudDefenderCheckPayload },
  read: { new: newCloudDefender, changed: changedCloudDefender },
};

export const CloudDefenderResolver = deviceResolver(CLOUD_DEFENDER);
export const CloudDefenderChangeResolver = deviceChangeResolver(CLOUD_DEFENDER);
export const CloudDefenderCheckResolver = checkResolver(CLOUD_DEFENDER);
