import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { CheckStatus } from '../../values/enums.js';
import { payload } from '../shared/payload.js';
import { connectionOf } from '../shared/connection.js';
import { Device, DeviceHealthEnum, DeviceReceipt, WebStat } from './types.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar, JsonObjectScalar } from '../shared/scalars.js';

@ObjectType({
  description: 'Threat-blocker configuration of an organization (specification 2.7).',
  implements: Device,
})
export class ThreatBlocker extends Device {
  @Field(() => ID, { description: 'Key of the configuration, a UUID (specification 2.7).' })
  atbKey!: string;

  @Field(() => String, { description: 'Kind of configuration.' })
  type!: string;

  @Field(() => ThreatBlockerCheck, { description: 'What the device reported (specification 2.7 `check`).' })
  check!: Plain<ThreatBlockerCheck>;

  @Field(() => ThreatBlockerPlugin, { description: 'The plug-in that the device runs (specification 2.7 `plugin`).' })
  plugin!: Plain<ThreatBlockerPlugin>;

  // The property is spelled like the field, and so is the row: without a resolver of its own the field reads its name.
  @Field(() => String, { description: 'Private IP address, in the spelling of specification 2.7.' })
  privateIP!: string;

  @Field(() => String, { description: 'Device identifier.' })
  deviceId!: string;
}

@ObjectType({ description: 'The plug-in of a threat blocker (specification 2.7 `plugin`).' })
export class ThreatBlockerPlugin {
  @Field(() => String, { description: 'Name of the plug-in.' })
  name!: string;

  @Field(() => JsonObjectScalar, { description: 'Its configuration, key for key as the customer wrote it.' })
  config!: Plain<Record<string, unknown>>;
}

@ObjectType({ description: 'What a threat blocker reported (specification 2.7 `check`).' })
export class ThreatBlockerCheck {
  @Field(() => ThreatBlockerStat, {
    description: 'The newest report; before the first one zeros, and the time when the device was created.',
  })
  stat!: Plain<ThreatBlockerStat>;

  @Field(() => DeviceHealthEnum, { description: 'Overall state.' })
  status!: CheckStatus;

  @Field(() => [WebStat], { description: 'Its reports of web traffic, oldest first.' })
  webStat!: WebStat[];

  @Field(() => [ChartStat], { description: 'Its traffic by buckets of time, oldest first.' })
  chartStat!: ChartStat[];
}

@ObjectType({ description: 'One report of a threat blocker: the state of each part (specification 2.7 `stat`).' })
export class ThreatBlockerStat {
  @Field(() => DeviceHealthEnum, { description: 'State of the VPN.' })
  vpn!: CheckStatus;

  @Field(() => DeviceHealthEnum, { description: 'State of the DNS block list.' })
  dnsbl!: CheckStatus;

  @Field(() => DeviceHealthEnum, { description: 'State of the list of IP addresses.' })
  iplist!: CheckStatus;

  @Field(() => DateTimeScalar, { description: 'When the device reported.' })
  datetime!: Date | string;
}

@ObjectType({ description: 'Traffic of one bucket of time (specification 2.7 `chart_stat`).' })
export class ChartStat {
  @Field(() => Int, { description: 'Begin of the bucket, in Unix seconds.' })
  bucketStart!: number;

  @Field(() => Int, { description: 'End of the bucket, in Unix seconds.' })
  bucketEnd!: number;

  @Field(() => Int, { description: 'All requests of the bucket.' })
  totalRequests!: number;

  @Field(() => Int, { description: 'Those of them that were malicious.' })
  maliciousRequests!: number;
}

/** What the answers to all changes have. */
export const ThreatBlockerPayload = payload('ThreatBlocker', {
  threatBlocker: [() => ThreatBlocker, 'The record as it is now.'],
});

@ObjectType({ description: 'What `createThreatBlocker` answers.' })
export class CreateThreatBlockerPayload extends ThreatBlockerPayload {}

@ObjectType({ description: 'What `updateThreatBlocker` answers.' })
export class UpdateThreatBlockerPayload extends ThreatBlockerPayload {}

@ObjectType({ description: 'What `restoreThreatBlocker` answers.' })
export class RestoreThreatBlockerPayload extends ThreatBlockerPayload {}

@ObjectType({ description: 'What `rotateAtbKey` answers.' })
export class RotateAtbKeyPayload extends ThreatBlockerPayload {}

export const DeleteThreatBlockerPayload = payload('DeleteThreatBlocker', {
  threatBlocker: [() => ThreatBlocker, 'The record that was deleted (specification 4.6).'],
});

export const ReportThreatBlockerCheckPayload = payload('ReportThreatBlockerCheck', {
  receipt: [() => DeviceReceipt, 'What became of the reports.'],
});

export const ReportThreatBlockerCheckByKeyPayload = payload('ReportThreatBlockerCheckByKey', {
  receipt: [() => DeviceReceipt, 'What became of the reports.'],
});

export const { Connection: ThreatBlockerConnection } = connectionOf('ThreatBlocker', () => ThreatBlocker);
