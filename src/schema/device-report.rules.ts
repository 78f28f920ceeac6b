import { LIMITS } from '../vocabulary/limits.js';
import { fields, state } from './device.rules.js';
import { checkInput } from './input-faults.js';
import { isUuid } from './formats.js';
import { formatted, type JsonRecord, listOf, optional, type Rule, wholeNumber } from './rules.js';
import type { ChartStatInput } from './threat-blocker.input.js';

/** Moments that a report may be of. */
export interface ReportWindow {
  from: Date;
  to: Date;
}

const MAX = LIMITS.check;
const MAX_COUNT = 2_147_483_647;

/** Throws BAD_USER_INPUT with all faults of the reports of a device, whichever its kind. */
export function checkReports({ reports }: { reports: readonly object[] }, window: ReportWindow): void {
  checkInput({ reports }, { reports: reportsRule(window) });
}

/** The same for reports that come with a key. */
export function checkReportsByKey(input: { atbKey: string; reports: readonly object[] }, window: ReportWindow): void {
  checkInput(input, { atbKey: uuid, reports: reportsRule(window) });
}

const uuid = formatted(36, isUuid, 'must be a UUID');

const count = wholeNumber(MAX_COUNT);

/** Whichever parts there are: the types have seen to their names. */
const stat: Rule = (value, faults) => {
  const parts = value as JsonRecord;
  for (const [part, found] of Object.entries(parts)) faults.at(part, found, state, parts);
};

function reportsRule(window: ReportWindow): Rule {
  const list = listOf(
    'objects',
    MAX.reports,
    fields({
      datetime: moment(window),
      stat,
      webStat: optional(fields({ wafProtection: count, totalManagedRequests: count })),
      chartStat: optional(chartStat(window)),
    }),
  );
  return (value, faults, owner) => {
    if ((value as unknown[]).length === 0) return faults.add('must not be empty');
    list(value, faults, owner);
  };
}

function moment({ from, to }: ReportWindow): Rule {
  return (value, faults) => {
    if ((value as Date) < from) faults.add(`must not be more than ${MAX.keptDays} days ago`);
    if ((value as Date) > to) faults.add(`must not be more than ${MAX.clockSkewMinutes} minutes in the future`);
  };
}

function chartStat(window: ReportWindow): Rule {
  const begin = moment(window);
  const list = listOf(
    'objects',
    MAX.bucketsPerReport,
    fields({
      bucketStart: (value, faults, owner) => begin(new Date((value as number) * 1000), faults, owner),
      bucketEnd,
      totalRequests: count,
      maliciousRequests,
    }),
  );
  return (value, faults, owner) => {
    list(value, faults, owner);
    const begins = new Set<number>();
    const buckets = [...(value as ChartStatInput[]).entries()];
    for (const [index, { bucketStart }] of buckets) {
      if (begins.has(bucketStart)) faults.at(index, bucketStart, refuseRepeated, value as unknown[]);
      begins.add(bucketStart);
    }
    let end = -Infinity;
    for (const [index, { bucketStart, bucketEnd }] of buckets.toSorted(
      ([, one], [, other]) => one.bucketStart - other.bucketStart,
    )) {
      if (begins.delete(bucketStart) && bucketStart < end)
        faults.at(index, bucketStart, refuseOverlap, value as unknown[]);
      end = Math.max(end, bucketEnd);
    }
  };
}

const bucketEnd: Rule = (value, faults, owner) => {
  const length = (value as number) - ((owner as JsonRecord)['bucketStart'] as number);
  if (length <= 0) faults.add('must be after bucket_start');
  if (length > MAX.bucketSeconds) faults.add(`must not be more than ${MAX.bucketSeconds} seconds after bucket_start`);
};

const maliciousRequests: Rule = (value, faults, owner) => {
  count(value, faults, owner);
  if ((value as number) > ((owner as JsonRecord)['totalRequests'] as number)) {
    faults.add('must not be greater than total_requests');
  }
};

const refuseOverlap: Rule = (_value, faults) => faults.addAt('bucket_start', 'must not lie in another bucket');

const refuseRepeated: Rule = (_value, faults) => faults.addAt('bucket_start', 'must not be given twice');
