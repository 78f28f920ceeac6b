import * as inputs from '../schema/devices/inputs.js';
import * as types from '../schema/devices/types.js';
import { DeviceSeries } from '../schema/devices/types.js';
import { newCloudDefender } from '../schema/devices/reader.js';

import { deviceChangeResolver, type DeviceNoun, deviceResolver } from './devices.resolver.js';
import { checkResolver } from './device-checks.resolver.js';

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
  series: DeviceSeries,
  create: { input: inputs.CreateCloudDefenderInput, payload: types.CreateCloudDefenderPayload },
  update: { input: inputs.UpdateCloudDefenderInput, payload: types.UpdateCloudDefenderPayload },
  remove: { input: inputs.DeleteCloudDefenderInput, payload: types.DeleteCloudDefenderPayload },
  restore: { input: inputs.RestoreCloudDefenderInput, payload: types.RestoreCloudDefenderPayload },
  report: { input: inputs.ReportCloudDefenderCheckInput, payload: types.ReportCloudDefenderCheckPayload },
  idOf: ({ cloudDefenderId }) => cloudDefenderId,
  readNew: newCloudDefender,
};

export const CloudDefenderResolver = deviceResolver(CLOUD_DEFENDER);
export const CloudDefenderChangeResolver = deviceChangeResolver(CLOUD_DEFENDER);
export const CloudDefenderCheckResolver = checkResolver(CLOUD_DEFENDER);
