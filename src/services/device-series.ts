import type { QueryResultRow } from 'pg';
import type { Database } from '../database/database.js';
import { Projection, type ColumnMap } from '../database/projection.js';
import { badUserInput } from '../errors.js';
import { FIRST_INSTANT, LAST_INSTANT } from '../vocabulary/calendar.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Selection } from '../vocabulary/selection.js';
import type { SeriesSize } from '../vocabulary/series-sizes.js';
import type { CheckTables } from './device-checks.js';

/** Which series; absent is null. */
export interface SeriesQuery {
  from?: Date | null;
  to?: Date | null;
  bucket?: SeriesSize | null;
}

/** Whole buckets in UTC: `from` is the begin of the first one, `to` the end of the last one. */
export interface Series {
  from: Date;
  to: Date;
  bucket: SeriesSize;
  points: object[];
}

interface Source {
  table: string;
  /** The moment of a row as a timestamptz, and the condition that finds the rows of `$2` to `$3` by index. */
  time: string;
  where: string;
  projection: Projection;
}

type PointRow = QueryResultRow & { $device: number; begin: string };

/** Reads what devices reported in buckets of an hour or a day: one statement for all devices and each source. */
export class DeviceSeries {
  private readonly sources: readonly Source[];

  constructor(
    private readonly database: Database,
    { reports, parts, traffic }: CheckTables,
    private readonly now: () => Date,
  ) {
    const worst = `greatest(${parts.map((part) => `max(c.${part})`).join(', ')})`;
    const report = { table: reports, time: 'c.datetime', where: 'c.datetime >= $2 and c.datetime < $3' };
    this.sources = [
      { ...report, projection: new Projection({ ...REPORTED, status: worst }, []) },
      ...(traffic === undefined ? [] : [{ ...TRAFFIC, table: traffic, projection: new Projection(COUNTED, []) }]),
    ];
  }

  /** How many buckets such a series has. Throws BAD_USER_INPUT when it has none or too many. */
  bucketsOf(query: SeriesQuery): number {
    return countOf(this.frameOf(query));
  }

  /** The same series of each device. Throws BAD_USER_INPUT when it has no buckets or too many. */
  async ofDevices(ids: readonly number[], query: SeriesQuery, asked: Selection): Promise<Map<number, Series>> {
    const frame = this.frameOf(query);
    const begins = beginsOf(frame);
    const rows = (
      await Promise.all(this.sources.map((source) => this.read(ids, source, frame, asked.of('points'))))
    ).flat();
    const told = new Map<string, object>();
    for (const { $device, begin, ...values } of rows) {
      const key = `${$device} ${begin}`;
      told.set(key, { ...told.get(key), ...values });
    }
    const point = (id: number, begin: string) => ({ ...NOTHING, ...told.get(`${id} ${begin}`), begin });
    return new Map(ids.map((id) => [id, { ...frame, points: begins.map((begin) => point(id, begin)) }]));
  }

  private frameOf({ from, to, bucket }: SeriesQuery): Omit<Series, 'points'> {
    const size = bucket ?? 'HOUR';
    const length = LENGTHS[size];
    const end = Math.ceil((to ?? this.now()).getTime() / length) * length;
    const begin = Math.floor((from?.getTime() ?? end - DEFAULT_DAYS * DAY) / length) * length;
    const frame = { from: new Date(begin), to: new Date(end), bucket: size };
    if (countOf(frame) < 1) throw badUserInput(['from must be before to']);
    if (countOf(frame) > LIMITS.check.seriesBuckets) {
      throw badUserInput([`a series must not have more than ${LIMITS.check.seriesBuckets} buckets`]);
    }
    // Whole buckets reach beyond what was asked for, and a series can begin before the first year that can be written.
    if (begin < FIRST_INSTANT || end > LAST_INSTANT)
      throw badUserInput(['the buckets of a series must lie in the years 1 to 9999']);
    return frame;
  }

  private async read(
    ids: readonly number[],
    { table, time, where, projection }: Source,
    { from, to, bucket }: Omit<Series, 'points'>,
    asked: Selection,
  ): Promise<PointRow[]> {
    const { select } = projection.of(asked);
    if (select === '') return [];
    const begin = `date_trunc('${bucket}', ${time}, 'UTC')`;
    const text =
      `select part.* from unnest($1::int[]) as device(id) cross join lateral (` +
      `select c.device_id as "$device", ${begin} as begin, ${select} from ${table} c ` +
      `where c.device_id = device.id and ${where} group by 1, 2) part`;
    return this.database.rows<PointRow>(text, [ids, from, to]);
  }
}

const DAY = 24 * 60 * 60 * 1000;
/** As far back as `check.web_stat` goes. */
const DEFAULT_DAYS = 7;
const LENGTHS: Readonly<Record<SeriesSize, number>> = { HOUR: 60 * 60 * 1000, DAY };

const REPORTED = {
  reports: 'count(*)',
  wafProtection: 'coalesce(sum(c.waf_protection), 0)',
  totalManagedRequests: 'coalesce(sum(c.total_managed_requests), 0)',
} satisfies ColumnMap;

const COUNTED = {
  totalRequests: 'sum(c.total_requests)',
  maliciousRequests: 'sum(c.malicious_requests)',
} satisfies ColumnMap;

const TRAFFIC = {
  time: 'to_timestamp(c.bucket_start)',
  where:
    'c.bucket_start >= extract(epoch from $2::timestamptz)::bigint and c.bucket_start < extract(epoch from $3::timestamptz)::bigint',
};

/** A bucket in which nothing was reported. */
const NOTHING = {
  reports: 0,
  status: 0,
  wafProtection: 0,
  totalManagedRequests: 0,
  totalRequests: 0,
  maliciousRequests: 0,
};

function countOf({ from, to, bucket }: Omit<Series, 'points'>): number {
  return (to.getTime() - from.getTime()) / LENGTHS[bucket];
}

function beginsOf(frame: Omit<Series, 'points'>): string[] {
  const begin = (index: number) => new Date(frame.from.getTime() + index * LENGTHS[frame.bucket]);
  return Array.from({ length: countOf(frame) }, (_, index) => begin(index).toISOString());
}
