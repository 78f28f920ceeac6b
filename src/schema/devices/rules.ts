import type { ObjectRule } from '../../common/input-schema.js';
import { LIMITS } from '../../values/limits.js';

/** A bucket of time ends after it begins, and holds no more malicious requests than requests. */
export const bucketIsConsistent: ObjectRule = (read) => {
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
export const bucketsAreApart: ObjectRule = (read) => {
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
