import { type ClassType, Float, ID, InputType, Int, InterfaceType, ObjectType } from 'type-graphql';
import { CHECK_STATUSES, type CheckStatus, type DeviceReportOutcome, type SeriesSize } from '../../values/enums.js';
import { Organization } from '../organizations/types.js';
import { DateTimeScalar, JsonObjectScalar, SafeIntScalar } from '../shared/scalars.js';
import { Optional } from '../shared/optional.js';
import { RowError } from '../shared/rows.js';
import { Version } from '../shared/version.js';
import { enumeration, Field, Nullable, type Plain, storedEnumeration } from '../shared/types.js';

export const DeviceHealthEnum = storedEnumeration(
  'DeviceHealth',
  'How a device, or a part of it, is.',
  CHECK_STATUSES,
  {
    UNKNOWN: 'Not checked, or not reported yet.',
    HEALTHY: 'Works.',
    DEGRADED: 'Works in part.',
    DOWN: 'Does not work.',
  },
);

// Specification 2.6 web_stat.
@ObjectType({ description: 'One report of the web traffic that a device looked after.' })
export class WebStat {
  @Field(() => DateTimeScalar, 'When the device reported.')
  datetime!: Date | string;

  @Field(() => Int, 'Requests that the web application firewall stopped.')
  wafProtection!: number;

  @Field(() => Int, 'All requests that the device looked after.')
  totalManagedRequests!: number;
}

export const SeriesSizeEnum = enumeration<SeriesSize>('SeriesSize', 'How long the buckets of a series are, in UTC.', {
  HOUR: 'An hour.',
  DAY: 'A day.',
});

@ObjectType({ description: 'What a device reported in one bucket of time; zeros where it reported nothing.' })
export class DevicePoint {
  @Field(() => DateTimeScalar, 'Start of the bucket.')
  begin!: Date | string;

  @Field(() => Int, 'How many reports there are.')
  reports!: number;

  @Field(() => DeviceHealthEnum, 'The worst state that a report of the bucket has.')
  status!: CheckStatus;

  // A day of busy devices counts further than an Int does.
  @Field(() => Float, 'Requests that the web application firewall stopped: a whole number.')
  wafProtection!: number;

  @Field(() => Float, 'All requests that the device looked after: a whole number.')
  totalManagedRequests!: number;
}

@ObjectType({ description: 'What a threat blocker reported in one bucket of time; zeros where it reported nothing.' })
export class ThreatBlockerPoint extends DevicePoint {
  @Field(() => Float, 'Requests of the `chartStat` whose own buckets begin in this one.')
  totalRequests!: number;

  @Field(() => Float, 'Those of them that were malicious.')
  maliciousRequests!: number;
}

/** Makes a type of series. Call it once for a name: types of one name would meet in the schema. */
function seriesOf<Point extends object>(name: string, point: () => ClassType<Point>) {
  @ObjectType(name, {
    description: 'What a device reported in whole buckets of time; reports are kept for 90 days at least.',
  })
  class Series {
    @Field(() => DateTimeScalar, 'Start of the first bucket.')
    from!: Date | string;

    @Field(() => DateTimeScalar, 'End of the last bucket.')
    to!: Date | string;

    @Field(() => SeriesSizeEnum, 'How long each bucket is.')
    bucket!: SeriesSize;

    @Field(() => [point()], 'Every bucket, oldest first; 2,200 at most.')
    points!: Plain<Point>[];
  }
  return Series;
}

export const DeviceSeries = seriesOf('DeviceSeries', () => DevicePoint);
export const ThreatBlockerSeries = seriesOf('ThreatBlockerSeries', () => ThreatBlockerPoint);

@ObjectType({ description: 'What became of reports. It is the same however often the same reports are sent.' })
export class DeviceReceipt {
  @Field(() => Int, 'How many reports were sent.')
  received!: number;

  @Field(() => DateTimeScalar, 'The moment of the newest of them.')
  newest!: Date | string;
}

export const DeviceReportOutcomeEnum = enumeration<DeviceReportOutcome>(
  'DeviceReportOutcome',
  'What has become of one of many reports.',
  {
    STORED: 'It is stored.',
    UNCHANGED: 'The same report was there already. Nothing was done.',
    REFUSED: 'Nothing was done: the error says why.',
  },
);

@ObjectType({ description: 'What has become of one of many reports.' })
export class DeviceReportRow {
  @Field(() => Int, 'Its place in `reports`, from 1.')
  row!: number;

  @Field(() => DeviceReportOutcomeEnum, 'What has become of it.')
  outcome!: DeviceReportOutcome;

  @Nullable(() => RowError, 'Why it was refused; null where it was not.')
  error!: Plain<RowError> | null;
}

@InterfaceType({ description: 'What all kinds of device configurations have.' })
export abstract class Device {
  // Specification 4.4 and 4.6.
  @Field(() => SafeIntScalar, 'The number that addresses of the REST interface carry.')
  id!: number;

  @Version('configuration')
  version!: number;

  @Field(() => Organization, 'The organization that has the configuration.')
  organization!: Plain<Organization>;

  @Field(() => String, 'Contact e-mail of the configuration.')
  email!: string;

  @Field(() => String, 'IP address of the endpoint.')
  endpoint!: string;

  @Field(() => [String], 'Enabled service names.')
  services!: string[];

  @Field(() => DateTimeScalar, 'When the configuration was created.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When the configuration was last changed.')
  updatedAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When the newest report of the device came in; null before the first one.')
  lastSeenAt!: Date | string | null;

  @Nullable(
    () => DateTimeScalar,
    'When the configuration was deleted; null while it was not. It may be restored for 30 days.',
  )
  deletedAt!: Date | string | null;
}

// Specification 2.6.
@ObjectType({
  description: 'Edge-protection configuration of an organization.',
  implements: Device,
})
export class CloudDefender extends Device {
  @Field(() => String, 'Protected domain name.')
  fqdn!: string;

  // Specification 2.6 check.
  @Field(() => CloudDefenderCheck, 'What the device reported.')
  check!: Plain<CloudDefenderCheck>;
}

// Specification 2.6 check.
@ObjectType({ description: 'What an edge protection reported.' })
export class CloudDefenderCheck {
  @Field(
    () => CloudDefenderStat,
    'The newest report; before the first one zeros, and the time when the device was created.',
  )
  stat!: Plain<CloudDefenderStat>;

  @Field(() => DeviceHealthEnum, 'Overall state.')
  status!: CheckStatus;
}

/** The state of each part of an edge protection, as it is reported and answered. */
@ObjectType()
@InputType()
export abstract class CloudDefenderParts {
  @Field(() => DeviceHealthEnum, 'State of the protected domain name.')
  fqdn!: CheckStatus;

  @Field(() => DeviceHealthEnum, 'State of the proxy.')
  proxy!: CheckStatus;

  @Field(() => DeviceHealthEnum, 'State of the endpoint.')
  endpoint!: CheckStatus;
}

// Specification 2.6 stat.
@ObjectType({ description: 'One report of an edge protection: the state of each part.' })
export class CloudDefenderStat extends CloudDefenderParts {
  @Field(() => DateTimeScalar, 'When the device reported.')
  datetime!: Date | string;
}

// Specification 2.7.
@ObjectType({
  description: 'Threat-blocker configuration of an organization.',
  implements: Device,
})
export class ThreatBlocker extends Device {
  // Specification 2.7.
  @Field(() => ID, 'Key of the configuration, a UUID.')
  atbKey!: string;

  @Field(() => String, 'Kind of configuration.')
  type!: string;

  // Specification 2.7 check.
  @Field(() => ThreatBlockerCheck, 'What the device reported.')
  check!: Plain<ThreatBlockerCheck>;

  // Specification 2.7 plugin.
  @Field(() => ThreatBlockerPlugin, 'The plug-in that the device runs.')
  plugin!: Plain<ThreatBlockerPlugin>;

  // The property is spelled like the field, and so is the row: the field reads its name.
  @Optional(() => String, 'Private IP address, IPv4 or IPv6.')
  privateIP!: string | null;

  @Optional(() => String, 'Device identifier.')
  deviceId!: string | null;
}

// Specification 2.7 plugin.
@ObjectType({ description: 'The plug-in of a threat blocker.' })
export class ThreatBlockerPlugin {
  @Optional(() => String, 'Name of the plug-in.')
  name!: string | null;

  @Field(() => JsonObjectScalar, 'Its configuration, key for key as the customer wrote it.')
  config!: Plain<Record<string, unknown>>;
}

// Specification 2.7 check.
@ObjectType({ description: 'What a threat blocker reported.' })
export class ThreatBlockerCheck {
  @Field(
    () => ThreatBlockerStat,
    'The newest report; before the first one zeros, and the time when the device was created.',
  )
  stat!: Plain<ThreatBlockerStat>;

  @Field(() => DeviceHealthEnum, 'Overall state.')
  status!: CheckStatus;
}

/** The state of each part of a threat blocker, as it is reported and answered. */
@ObjectType()
@InputType()
export abstract class ThreatBlockerParts {
  @Field(() => DeviceHealthEnum, 'State of the VPN.')
  vpn!: CheckStatus;

  @Field(() => DeviceHealthEnum, 'State of the DNS block list.')
  dnsbl!: CheckStatus;

  @Field(() => DeviceHealthEnum, 'State of the list of IP addresses.')
  iplist!: CheckStatus;
}

// Specification 2.7 stat.
@ObjectType({ description: 'One report of a threat blocker: the state of each part.' })
export class ThreatBlockerStat extends ThreatBlockerParts {
  @Field(() => DateTimeScalar, 'When the device reported.')
  datetime!: Date | string;
}

// Specification 2.7 chart_stat.
@ObjectType({ description: 'Traffic of one bucket of time.' })
export class ChartStat {
  @Field(() => SafeIntScalar, 'Start of the bucket, in Unix seconds.')
  bucketStart!: number;

  @Field(() => SafeIntScalar, 'End of the bucket, in Unix seconds.')
  bucketEnd!: number;

  @Field(() => Int, 'All requests of the bucket.')
  totalRequests!: number;

  @Field(() => Int, 'Those of them that were malicious.')
  maliciousRequests!: number;
}
