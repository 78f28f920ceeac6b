import { ArgsType, ID, InputType, Int } from 'type-graphql';
import type { ObjectRule } from '../../common/input-schema.js';
import type { CheckStatus, SeriesSize } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { orderOf } from '../shared/connection.js';
import { Constrained, List, Rule, Text, text } from '../shared/constraints.js';
import { DateTimeScalar, JsonObjectScalar, SafeIntScalar } from '../shared/scalars.js';
import { enumeration, Field, Nullable, type Plain } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';
import { CloudDefenderParts, DeviceHealthEnum, SeriesSizeEnum, ThreatBlockerParts } from './types.js';

@InputType({ description: 'Which device configurations to list. All conditions hold at once.' })
export class DeviceFilter {
  @Nullable(() => String, 'Only those whose names or addresses contain this text; case and accents make no difference.')
  @Text({ max: LIMITS.search.filterCharacters })
  search?: string | null;

  @Nullable(() => DeviceHealthEnum, 'Only those of this `check.status`.')
  status?: CheckStatus | null;

  @Nullable(
    () => Boolean,
    'Only deleted ones that may still be restored; only those that are not deleted when false or absent.',
  )
  deleted?: boolean | null;
}

export type DeviceOrder = InstanceType<typeof DeviceOrder>;
export const DeviceOrder = orderOf(
  'Device',
  'device configurations',
  enumeration('DeviceSortField', 'What a list of device configurations is ordered by.', {
    ID: 'By id.',
    NAME: 'Edge protections by domain name, threat blockers by device identifier.',
    STATUS: 'By `check.status`.',
    LAST_SEEN: 'By when the newest report came in; a device that never reported stands where it was created.',
  }),
);

/** What names one edge protection. */
@InputType()
abstract class CloudDefenderIdInput {
  @Field(() => SafeIntScalar, 'Which configuration.')
  cloudDefenderId!: number;
}

/** The same where it is changed. */
@InputType()
abstract class ChangedCloudDefenderInput extends CloudDefenderIdInput {
  @ExpectedVersion
  version?: number | null;
}

@InputType()
abstract class ThreatBlockerIdInput {
  @Field(() => SafeIntScalar, 'Which configuration.')
  threatBlockerId!: number;
}

/** The same where it is changed. */
@InputType()
abstract class ChangedThreatBlockerInput extends ThreatBlockerIdInput {
  @ExpectedVersion
  version?: number | null;
}

@ArgsType()
export class SeriesArgs {
  @Nullable(
    () => DateTimeScalar,
    'The series begins with the bucket of this moment; seven days before its end when absent.',
  )
  from?: Date | null;

  @Nullable(
    () => DateTimeScalar,
    'The series ends with the bucket before this moment, or with the one that it lies in; now when absent.',
  )
  to?: Date | null;

  @Nullable(() => SeriesSizeEnum, 'How long the buckets are; an hour when absent.', { defaultValue: 'HOUR' })
  bucket?: SeriesSize | null;
}

// Specification 2.6.
@InputType({ description: 'The web traffic that a device looked after since the report before.' })
export class WebStatInput {
  @Field(() => Int, 'Requests that the web application firewall stopped.')
  @Constrained({ minimum: 0 })
  wafProtection!: number;

  @Field(() => Int, 'All requests that the device looked after.')
  @Constrained({ minimum: 0 })
  totalManagedRequests!: number;
}

/** What reports of both kinds of devices have. */
@InputType()
abstract class DeviceReportInput {
  @Field(
    () => DateTimeScalar,
    'The moment that it is of: at most 90 days ago, or fewer where the operator keeps reports whole for less, and at most five minutes ahead of our clock.',
  )
  datetime!: Date;

  @Nullable(() => WebStatInput, 'Web traffic, if there is any.')
  webStat?: WebStatInput | null;
}

@InputType({ description: 'A new edge-protection configuration.' })
export class CreateCloudDefenderInput {
  @Field(() => SafeIntScalar, 'The organization that gets the configuration.')
  organizationId!: number;

  @Field(() => String, 'Contact e-mail of the configuration.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;

  @Field(() => String, 'Protected domain name, a hostname.')
  @Text({ max: LIMITS.organization.domainCharacters, format: 'hostname' })
  fqdn!: string;

  @Field(() => String, 'IP address of the endpoint, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip' })
  endpoint!: string;

  @Nullable(() => [String], 'Names of services to enable, free words; none when absent.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;
}

@InputType({
  description: 'Changes of an edge-protection configuration. What is absent stays as it is.',
})
export class UpdateCloudDefenderInput extends ChangedCloudDefenderInput {
  @Nullable(() => String, 'Contact e-mail of the configuration; not null.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email', notNull: true })
  email?: string | null;

  @Nullable(() => String, 'Protected domain name, a hostname; not null.')
  @Text({ max: LIMITS.organization.domainCharacters, format: 'hostname', notNull: true })
  fqdn?: string | null;

  @Nullable(() => String, 'IP address of the endpoint, IPv4 or IPv6; not null.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', notNull: true })
  endpoint?: string | null;

  @Nullable(() => [String], 'Names of all enabled services; null means none.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;
}

@InputType({ description: 'An edge-protection configuration to delete.' })
export class DeleteCloudDefenderInput extends ChangedCloudDefenderInput {}

@InputType({ description: 'An edge-protection configuration to restore; it was deleted in the last 30 days.' })
export class RestoreCloudDefenderInput extends CloudDefenderIdInput {}

@InputType({ description: 'State of each part.' })
export class CloudDefenderStatInput extends CloudDefenderParts {}

@InputType({ description: 'What an edge protection found at one moment.' })
export class CloudDefenderReportInput extends DeviceReportInput {
  @Field(() => CloudDefenderStatInput, 'The state of its parts.')
  stat!: CloudDefenderStatInput;
}

@InputType({ description: 'Reports of an edge protection.' })
export class ReportCloudDefenderCheckInput extends CloudDefenderIdInput {
  @Field(() => [CloudDefenderReportInput], 'Its reports, in any order.')
  @List({ min: 1, max: LIMITS.check.reports, single: true })
  reports!: CloudDefenderReportInput[];
}

@InputType({ description: 'A report of one of many edge protections.' })
export class CloudDefenderReportOfManyInput extends CloudDefenderReportInput {
  @Field(() => SafeIntScalar, 'Whose report it is.')
  cloudDefenderId!: number;
}

@InputType({ description: 'Reports of many edge protections, each of which is stored or refused alone.' })
export class ReportCloudDefenderChecksInput {
  @Field(() => [CloudDefenderReportOfManyInput], 'Their reports, in any order.')
  @List({ min: 1, max: LIMITS.check.reportsOfMany })
  reports!: CloudDefenderReportOfManyInput[];
}

// Specification 2.7 plugin.
@InputType({ description: 'The plug-in of a threat blocker.' })
export class ThreatBlockerPluginInput {
  @Nullable(() => String, 'Name of the plug-in.')
  @Text({ max: LIMITS.device.wordCharacters })
  name?: string | null;

  @Nullable(() => JsonObjectScalar, 'Its configuration, stored key for key.')
  @Constrained({ json: { levels: LIMITS.device.configLevels, bytes: LIMITS.device.configBytes } })
  config?: Plain<Record<string, unknown>> | null;
}

// Specification 2.7.
@InputType({ description: 'A new threat-blocker configuration. Its key is made for it.' })
export class CreateThreatBlockerInput {
  @Field(() => SafeIntScalar, 'The organization that gets the configuration.')
  organizationId!: number;

  @Field(() => String, 'Kind of configuration: a free word.')
  @Text({ max: LIMITS.device.wordCharacters, trim: true })
  type!: string;

  @Field(() => String, 'Contact e-mail of the configuration.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;

  @Nullable(() => ThreatBlockerPluginInput, 'The plug-in that the device runs.')
  plugin?: ThreatBlockerPluginInput | null;

  @Field(() => String, 'IP address of the endpoint, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip' })
  endpoint!: string;

  @Nullable(() => String, 'Private IP address, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', orEmpty: true })
  privateIP?: string | null;

  @Nullable(() => [String], 'Names of services to enable, free words; none when absent.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;

  @Nullable(() => String, 'Device identifier.')
  @Text({ max: LIMITS.device.deviceIdCharacters })
  deviceId?: string | null;
}

@InputType({
  description:
    'Changes of a threat-blocker configuration. What is absent stays as it is; null empties what may be empty.',
})
export class UpdateThreatBlockerInput extends ChangedThreatBlockerInput {
  @Nullable(() => String, 'Kind of configuration; not null.')
  @Text({ max: LIMITS.device.wordCharacters, trim: true, notNull: true })
  type?: string | null;

  @Nullable(() => String, 'Contact e-mail of the configuration; not null.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email', notNull: true })
  email?: string | null;

  @Nullable(
    () => ThreatBlockerPluginInput,
    'The plug-in: absent parts of it stay as well, and a configuration is replaced as a whole.',
  )
  plugin?: ThreatBlockerPluginInput | null;

  @Nullable(() => String, 'IP address of the endpoint, IPv4 or IPv6; not null.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', notNull: true })
  endpoint?: string | null;

  @Nullable(() => String, 'Private IP address, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', orEmpty: true })
  privateIP?: string | null;

  @Nullable(() => [String], 'Names of all enabled services; null means none.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;

  @Nullable(() => String, 'Device identifier.')
  @Text({ max: LIMITS.device.deviceIdCharacters })
  deviceId?: string | null;
}

@InputType({ description: 'A threat-blocker configuration to delete.' })
export class DeleteThreatBlockerInput extends ChangedThreatBlockerInput {}

@InputType({ description: 'A threat-blocker configuration to restore; it was deleted in the last 30 days.' })
export class RestoreThreatBlockerInput extends ThreatBlockerIdInput {}

@InputType({ description: 'A threat-blocker configuration that is to get another key.' })
export class RotateAtbKeyInput extends ChangedThreatBlockerInput {}

@InputType({ description: 'State of each part.' })
export class ThreatBlockerStatInput extends ThreatBlockerParts {}

/** A bucket of time ends after it begins, and holds no more malicious requests than requests. */
const bucketIsConsistent: ObjectRule = (read) => {
  const [start, end, total, malicious] = ['bucketStart', 'bucketEnd', 'totalRequests', 'maliciousRequests'].map(
    (field) => numberIn(read(field)),
  ) as [number, number, number, number];
  const errors = [];
  const { bucketSeconds } = LIMITS.check;
  if (end - start <= 0) errors.push({ at: ['bucketEnd'], sentence: 'must be after {bucketStart}' });
  if (end - start > bucketSeconds)
    errors.push({
      at: ['bucketEnd'],
      sentence: `must not be more than ${bucketSeconds} seconds after {bucketStart}`,
    });
  if (malicious > total)
    errors.push({ at: ['maliciousRequests'], sentence: 'must not be greater than {totalRequests}' });
  return errors;
};

/** No bucket of a report begins in another one. */
const bucketsAreApart: ObjectRule = (read) => {
  const buckets = read('chartStat');
  if (!Array.isArray(buckets)) return [];
  const begins = new Set<number>();
  let end = -Infinity;
  return buckets
    .map((bucket, index) => ({
      index,
      start: numberIn(read('bucketStart', bucket)),
      end: numberIn(read('bucketEnd', bucket)),
    }))
    .toSorted((one, other) => one.start - other.start)
    .flatMap((bucket) => {
      // One that begins with another is repeated, which has its own sentence.
      const lies = !begins.has(bucket.start) && bucket.start < end;
      begins.add(bucket.start);
      end = Math.max(end, bucket.end);
      return lies
        ? [{ at: ['chartStat', bucket.index, 'bucketStart'], sentence: 'must not lie in another bucket' }]
        : [];
    });
};

/** Not a number where something else was sent, which has an error of its own. */
function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

@Rule(bucketIsConsistent)
@InputType({ description: 'Traffic of one bucket of time.' })
export class ChartStatInput {
  @Field(() => Int, 'Begin of the bucket, in Unix seconds: at most 90 days ago.')
  bucketStart!: number;

  @Field(() => Int, 'End of the bucket, in Unix seconds: after its begin, by a day at most.')
  bucketEnd!: number;

  @Field(() => Int, 'All requests of the bucket.')
  @Constrained({ minimum: 0 })
  totalRequests!: number;

  @Field(() => Int, 'Those of them that were malicious.')
  @Constrained({ minimum: 0 })
  maliciousRequests!: number;
}

@InputType()
abstract class ThreatBlockerFindingsInput extends DeviceReportInput {
  @Field(() => ThreatBlockerStatInput, 'The state of its parts.')
  stat!: ThreatBlockerStatInput;

  @Nullable(
    () => [ChartStatInput],
    'Its traffic by buckets. A bucket that still runs may be reported again by a later report.',
  )
  @List({ max: LIMITS.check.bucketsPerReport, uniqueBy: 'bucketStart' })
  chartStat?: ChartStatInput[] | null;
}

@Rule(bucketsAreApart)
@InputType({ description: 'What a threat blocker found at one moment.' })
export class ThreatBlockerReportInput extends ThreatBlockerFindingsInput {}

/** A device is named in one way. */
const isNamedOnce: ObjectRule = (read) => {
  const isGiven = (field: string) => read(field) !== undefined && read(field) !== null;
  if (!isGiven('threatBlockerId') && !isGiven('atbKey')) return [{ at: ['threatBlockerId'], sentence: 'is required' }];
  if (!isGiven('threatBlockerId') || !isGiven('atbKey')) return [];
  return [{ at: ['atbKey'], sentence: 'must not be given beside {threatBlockerId}' }];
};

@Rule((read) => [...isNamedOnce(read), ...bucketsAreApart(read)])
@InputType({ description: 'A report of one of many threat blockers.' })
export class ThreatBlockerReportOfManyInput extends ThreatBlockerFindingsInput {
  @Nullable(() => SafeIntScalar, 'Whose report it is; absent where `atbKey` says it.')
  threatBlockerId?: number | null;

  @Nullable(() => ID, 'The key of its configuration, a UUID; absent where `threatBlockerId` says whose it is.')
  @Constrained({ format: 'uuid' })
  atbKey?: string | null;
}

@InputType({ description: 'Reports of many threat blockers, each of which is stored or refused alone.' })
export class ReportThreatBlockerChecksInput {
  @Field(() => [ThreatBlockerReportOfManyInput], 'Their reports, in any order.')
  @List({ min: 1, max: LIMITS.check.reportsOfMany })
  reports!: ThreatBlockerReportOfManyInput[];
}

@InputType({ description: 'Reports of a threat blocker.' })
export class ReportThreatBlockerCheckInput extends ThreatBlockerIdInput {
  @Field(() => [ThreatBlockerReportInput], 'Its reports, in any order.')
  @List({ min: 1, max: LIMITS.check.reports, single: true })
  reports!: ThreatBlockerReportInput[];
}

@InputType({ description: 'Reports of a threat blocker that knows nothing of itself but its key.' })
export class ReportThreatBlockerCheckByKeyInput {
  @Field(() => ID, 'The key of its configuration, a UUID.')
  @Constrained({ format: 'uuid' })
  atbKey!: string;

  @Field(() => [ThreatBlockerReportInput], 'Its reports, in any order.')
  @List({ min: 1, max: LIMITS.check.reports, single: true })
  reports!: ThreatBlockerReportInput[];
}
