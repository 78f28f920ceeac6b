import { DAY, HOUR } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { projected, Projection, type ColumnMap, type Shape } from '../../database/projection.js';
import {
  sql,
  table,
  type Expression,
  type Placeholders,
  type Statement,
  type TableReference,
} from '../../database/sql.js';
import { badUserInput, invalidInput } from '../../errors.js';
import { FIRST_INSTANT, LAST_INSTANT, LIMITS } from '../../values/limits.js';

import type { Selection } from '../../common/selection.js';
import type { SeriesSize } from '../../values/enums.js';
import type { DeviceKind, ReportTable } from './device-kind.js';

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
  projection: Projection;
  read: (size: SeriesSize, shape: Shape) => Statement<Range, PointRow>;
}

interface Range {
  ids: readonly number[];
  from: Date;
  to: Date;
}

type PointRow = { $device: number; begin: string };

/** `time` is the moment of a row as a timestamptz, and `where` finds the rows of the range by index. */
function sourceOf(
  devices: DeviceKind['table'],
  name: ReportTable | 'threat_blocker_traffic',
  columns: ColumnMap,
  { time, where }: { time: Expression; where: (p: Placeholders<Range>) => Expression },
): Source {
  const d = table(devices, 'd');
  const c = table(name, 'c');
  const readBy = (size: SeriesSize) =>
    projected<Range>()(
      (p, { select }) => sql<PointRow>`
        select part.* from ${d.table} cross join lateral (
          select ${c.device_id} as "$device", date_trunc(${size}, ${time}, 'UTC') as begin, ${sql.join(select)}
            from ${c.table}
           where ${c.organization_id} = ${d.organization_id} and ${c.device_id} = ${d.id} and ${where(p)}
           group by 1, 2) part
         where ${d.id} = any(${p('ids')}::int[])`,
    );
  const reads = { HOUR: readBy('HOUR'), DAY: readBy('DAY') };
  return { projection: new Projection(undefined, columns, []), read: (size, shape) => reads[size](shape) };
}

/** Reads what devices reported in buckets of an hour or a day: one statement for all devices and each source. */
export class DeviceSeries {
  private readonly sources: readonly Source[];

  constructor(
    private readonly database: Database,
    { table: devices, checks: { reports, parts, traffic } }: Pick<DeviceKind, 'table' | 'checks'>,
    private readonly now: () => Date,
  ) {
    const worst = sql`greatest(${sql.join(parts.map((part) => sql`max(${sql.ref(`c.${part}`)})`))})`;
    this.sources = [
      sourceOf(devices, reports, { ...reportedOf(table(reports, 'c')), status: worst }, REPORT),
      ...(traffic === undefined ? [] : [sourceOf(devices, traffic, COUNTED, TRAFFIC)]),
    ];
  }

  /** How many buckets such a series has. Throws BAD_USER_INPUT when it has none or too many. */
  bucketsOf(query: SeriesQuery): number {
    return countOf(this.frameOf(query));
  }

  /** The same series of each device. Throws BAD_USER_INPUT when it has no buckets or too many. */
  async ofDevices(ids: readonly number[], query: SeriesQuery, selection: Selection): Promise<Map<number, Series>> {
    const frame = this.frameOf(query);
    const begins = beginsOf(frame);
    const rows = (
      await Promise.all(this.sources.map((source) => this.read(ids, source, frame, selection.of('points'))))
    ).flat();
    const notified = new Map<string, object>();
    for (const { $device, begin, ...values } of rows) {
      const key = `${$device} ${begin}`;
      notified.set(key, { ...notified.get(key), ...values });
    }
    const point = (id: number, begin: string) => ({ ...NOTHING, ...notified.get(`${id} ${begin}`), begin });
    return new Map(ids.map((id) => [id, { ...frame, points: begins.map((begin) => point(id, begin)) }]));
  }

  private frameOf({ from, to, bucket }: SeriesQuery): Omit<Series, 'points'> {
    const size = bucket ?? 'HOUR';
    const length = LENGTHS[size];
    const end = Math.ceil((to ?? this.now()).getTime() / length) * length;
    const begin = Math.floor((from?.getTime() ?? end - DEFAULT_DAYS * DAY) / length) * length;
    const frame = { from: new Date(begin), to: new Date(end), bucket: size };
    if (countOf(frame) < 1) throw invalidInput([{ path: ['from'], sentence: 'must be before to' }]);
    if (countOf(frame) > LIMITS.check.seriesBuckets) {
      throw badUserInput([`a series must not have more than ${LIMITS.check.seriesBuckets} buckets`]);
    }
    // Whole buckets reach beyond the selected range, and a series can begin before the first year that can be written.
    if (begin < FIRST_INSTANT || end > LAST_INSTANT)
      throw badUserInput(['the buckets of a series must lie in the years 1 to 9999']);
    return frame;
  }

  private async read(
    ids: readonly number[],
    { projection, read }: Source,
    { from, to, bucket }: Omit<Series, 'points'>,
    selection: Selection,
  ): Promise<PointRow[]> {
    const shape = projection.of(selection);
    if (shape.select.length === 0) return [];
    return read(bucket, shape).all(this.database, { ids, from, to });
  }
}

/** As far back as `check.web_stat` goes. */
const DEFAULT_DAYS = 7;
const LENGTHS: Readonly<Record<SeriesSize, number>> = { HOUR, DAY };

const report = table('cloud_defender_check', 'c');
const traffic = table('threat_blocker_traffic', 'c');

function reportedOf(c: TableReference<ReportTable>): ColumnMap {
  return {
    reports: sql`count(*)`,
    wafProtection: sql`coalesce(sum(${c.waf_protection}), 0)`,
    totalManagedRequests: sql`coalesce(sum(${c.total_managed_requests}), 0)`,
  };
}

const REPORT = {
  time: report.datetime,
  where: (p: Placeholders<Range>) => sql`${report.datetime} >= ${p('from')} and ${report.datetime} < ${p('to')}`,
};

const COUNTED = {
  totalRequests: sql`sum(${traffic.total_requests})`,
  maliciousRequests: sql`sum(${traffic.malicious_requests})`,
};

const TRAFFIC = {
  time: sql`to_timestamp(${traffic.bucket_start})`,
  where: (
    p: Placeholders<Range>,
  ) => sql`${traffic.bucket_start} >= extract(epoch from ${p('from')}::timestamptz)::bigint
    and ${traffic.bucket_start} < extract(epoch from ${p('to')}::timestamptz)::bigint`,
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
