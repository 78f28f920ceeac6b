import { Field, ID, InputType, Int } from 'type-graphql';
import { DeviceIdInput, DeviceReportInput } from './device.input.js';
import type { Plain } from './plain.js';
import { JsonObjectScalar } from './scalars.js';

@InputType({ description: 'The plug-in of a threat blocker (specification 2.7 `plugin`).' })
export class ThreatBlockerPluginInput {
  @Field(() => String, { nullable: true, description: 'Name of the plug-in, 64 characters at most.' })
  name?: string | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Its configuration, stored key for key: 64 KB and 20 levels at most.',
  })
  config?: Plain<Record<string, unknown>> | null;
}

@InputType({ description: 'A new threat-blocker configuration (specification 2.7). Its key is made for it.' })
export class CreateThreatBlockerInput {
  @Field(() => Int, { description: 'Whose configuration it becomes.' })
  organizationId!: number;

  @Field(() => String, { description: 'Kind of configuration: a free word of up to 64 characters.' })
  type!: string;

  @Field(() => String, { description: 'Contact e-mail of the configuration.' })
  email!: string;

  @Field(() => ThreatBlockerPluginInput, { nullable: true, description: 'The plug-in that the device runs.' })
  plugin?: ThreatBlockerPluginInput | null;

  @Field(() => String, { description: 'IP address of the endpoint, IPv4 or IPv6.' })
  endpoint!: string;

  @Field(() => String, { nullable: true, description: 'Private IP address, IPv4 or IPv6.' })
  privateIP?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Names of services to enable, 50 at most; free words of up to 64 characters. None when absent.',
  })
  services?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Device identifier, 200 characters at most.' })
  deviceId?: string | null;
}

@InputType({
  description:
    'Changes of a threat-blocker configuration (specification 2.7). What is absent stays as it is; null empties what may be empty.',
})
export class UpdateThreatBlockerInput extends DeviceIdInput {
  @Field(() => String, { nullable: true, description: 'Kind of configuration; not null.' })
  type?: string | null;

  @Field(() => String, { nullable: true, description: 'Contact e-mail of the configuration; not null.' })
  email?: string | null;

  @Field(() => ThreatBlockerPluginInput, {
    nullable: true,
    description: 'The plug-in: absent parts of it stay as well, and a configuration is replaced as a whole.',
  })
  plugin?: ThreatBlockerPluginInput | null;

  @Field(() => String, { nullable: true, description: 'IP address of the endpoint, IPv4 or IPv6; not null.' })
  endpoint?: string | null;

  @Field(() => String, { nullable: true, description: 'Private IP address, IPv4 or IPv6.' })
  privateIP?: string | null;

  @Field(() => [String], { nullable: true, description: 'Names of all enabled services; null means none.' })
  services?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Device identifier, 200 characters at most.' })
  deviceId?: string | null;
}

@InputType({ description: 'A threat-blocker configuration to delete (specification 4.6).' })
export class DeleteThreatBlockerInput extends DeviceIdInput {}

@InputType({ description: 'A threat-blocker configuration to restore; it was deleted in the last 30 days.' })
export class RestoreThreatBlockerInput extends DeviceIdInput {}

@InputType({ description: 'A threat-blocker configuration that is to get another key.' })
export class RotateAtbKeyInput extends DeviceIdInput {}

@InputType({
  description: 'State of each part (specification 2.7 `stat`): 0 not checked, 1 healthy, 2 degraded, 3 down.',
})
export class ThreatBlockerStatInput {
  @Field(() => Int, { description: 'State of the VPN.' })
  vpn!: number;

  @Field(() => Int, { description: 'State of the DNS block list.' })
  dnsbl!: number;

  @Field(() => Int, { description: 'State of the list of IP addresses.' })
  iplist!: number;
}

@InputType({ description: 'Traffic of one bucket of time (specification 2.7 `chart_stat`).' })
export class ChartStatInput {
  @Field(() => Int, { description: 'Begin of the bucket, in Unix seconds: at most 90 days ago.' })
  bucketStart!: number;

  @Field(() => Int, { description: 'End of the bucket, in Unix seconds: after its begin, by a day at most.' })
  bucketEnd!: number;

  @Field(() => Int, { description: 'All requests of the bucket.' })
  totalRequests!: number;

  @Field(() => Int, { description: 'Those of them that were malicious.' })
  maliciousRequests!: number;
}

@InputType({ description: 'What a threat blocker found at one moment.' })
export class ThreatBlockerReportInput extends DeviceReportInput {
  @Field(() => ThreatBlockerStatInput, { description: 'The state of its parts.' })
  stat!: ThreatBlockerStatInput;

  @Field(() => [ChartStatInput], {
    nullable: true,
    description: 'Its traffic by buckets, 48 at most. A bucket that still runs may be told again by a later report.',
  })
  chartStat?: ChartStatInput[] | null;
}

@InputType({ description: 'Reports of a threat blocker.' })
export class ReportThreatBlockerCheckInput extends DeviceIdInput {
  @Field(() => [ThreatBlockerReportInput], { description: 'Its reports, 1 to 100, in any order.' })
  reports!: ThreatBlockerReportInput[];
}

@InputType({ description: 'Reports of a threat blocker that knows nothing of itself but its key.' })
export class ReportThreatBlockerCheckByKeyInput {
  @Field(() => ID, { description: 'The key of its configuration, a UUID.' })
  atbKey!: string;

  @Field(() => [ThreatBlockerReportInput], { description: 'Its reports, 1 to 100, in any order.' })
  reports!: ThreatBlockerReportInput[];
}
