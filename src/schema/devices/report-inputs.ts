import { ArgsType, ID, InputType, Int } from 'type-graphql';
import type { ObjectRule } from '../../common/input-schema.js';
import type { SeriesSize } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { Constrained, List, Rule } from '../shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Field, Nullable } from '../shared/types.js';
import { CloudDefenderParts, SeriesSizeEnum, ThreatBlockerParts } from './types.js';
import { CloudDefenderIdInput, ThreatBlockerIdInput } from './inputs.js';

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

/** The fields that reports of both kinds of devices have. */
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

@InputType({ description: 'State of each part.' })
export class ThreatBlockerStatInput extends ThreatBlockerParts {}

/** A bucket of time ends after it begins, and has no more malicious requests than requests. */
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
  @Field(() => SafeIntScalar, 'Start of the bucket, in Unix seconds: at most 90 days ago.')
  bucketStart!: number;

  @Field(() => SafeIntScalar, 'End of the bucket, in Unix seconds: after its start, by a day at most.')
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
