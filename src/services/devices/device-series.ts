import { DAY, HOUR } from '../../common/time.js';
import type { Selection } from '../../common/selection.js';
import type { Database } from '../../database/database.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { sql, table, type Expression, type Placeholders } from '../../database/sql.js';
import type { DeviceStat } from '../../entities/devices.js';
import { badUserInput, invalidInput } from '../../errors.js';
import type { SeriesSize } from '../../values/enums.js';
import { FIRST_INSTANT, LAST_INSTANT, LIMITS } from '../../values/limits.js';
import type { DeviceKind, ReportTable } from './device-kind.js';

/** Days that `check.web_stat` and `check.chart_stat` cover, and series without a given range. */
const DEFAULT_DAYS = 7;
const LENGTHS: Readonly<Record<SeriesSize, number>> = { HOUR, DAY };

/** The columns that the reports of both kinds have. */
const report = table('cloud_defender_check', 'c');
const traffic = table('threat_blocker_traffic', 'c');

type RowTable = ReportTable | 'threat_blocker_traffic';

const WEB_STAT = new Projection('WebStat', properties(report, 'datetime', 'waf_protection', 'total_managed_requests'), [
  'datetime',
]);
const CHART_STAT = new Projection(
  'ChartStat',
  properties(traffic, 'bucket_start', 'bucket_end', 'total_requests', 'malicious_requests'),
  ['bucketStart'],
);

interface FoundRows {
  select: readonly unknown[];
  /** Finds them by index. */
  where: Expression;
  /** How many, or how they are grouped. */
  rest: Expression;
}

/** Rows `c` of each device. */
function ofEachDevice<Row>(
  devices: DeviceKind['table'],
  rows: RowTable,
  { select, where, rest }: FoundRows,
  ids: Expression,
) {
  const d = table(devices, 'd');
  const c = table(rows, 'c');
  return sql<{ $device: number } & Row>`
    select part.* from ${d.table} cross join lateral (
      select ${c.device_id} as "$device", ${sql.join(select)} from ${c.table}
       where ${c.organization_id} = ${d.organization_id} and ${c.device_id} = ${d.id} and ${where} ${rest}) part
     where ${d.id} = any(${ids}::bigint[])`;
}

/** A device read for `check`: its own row has its overall state and its newest report. */
export interface CheckedDevice {
  id: number;
  status: number;
  stat: DeviceStat | null;
  createdAt: string;
  check?: CheckRef;
}

/** Reference from a `check` to its series. */
export interface CheckRef {
  deviceId: number;
  webStat: readonly object[];
  chartStat: readonly object[];
}

/** Rows of each device after a moment. */
interface Since {
  ids: readonly number[];
  since: Date | number;
}

/** The newest rows of each device that meet the condition, oldest first; `time` is the expression of a row's time. */
function newest(
  devices: DeviceKind['table'],
  rows: RowTable,
  time: string,
  where: (p: Placeholders<Since>) => Expression,
) {
  const rest = sql`order by ${sql.id(time)} desc limit ${LIMITS.check.statRows}`;
  return projected<Since>()(
    (p, { select }) => sql<{ $device: number }>`
      ${ofEachDevice(devices, rows, { select, where: where(p), rest }, p('ids'))}
       order by part."$device", ${sql.id('part', time)}`,
  );
}

/** A report may have no web traffic. */
function isReportOfWeb(p: Placeholders<Since>): Expression {
  return sql`${report.datetime} >= ${p('since')} and ${report.waf_protection} is not null`;
}

/**
 * Devices choose the borders of buckets, usually whole hours, while the window begins at any moment: a bucket that began
 * before it and ends in it belongs to it. The maximum length of a bucket bounds the search.
 */
function hasLasted(p: Placeholders<Since>): Expression {
  const { bucket_start, bucket_end } = traffic;
  return sql`${bucket_start} > ${p('since')} - ${LIMITS.check.bucketSeconds}
    and (${bucket_start} >= ${p('since')} or ${bucket_end} > ${p('since')})`;
}

/** Reads reports for all devices of a page, in one statement for each part that is selected. */
export class DeviceChecks {
  /** The parts of a `stat` before the first report. */
  private readonly unknown: Readonly<Record<string, number>>;
  private readonly web;
  private readonly chart;

  constructor(
    private readonly database: Database,
    { table: devices, checks }: Pick<DeviceKind, 'table' | 'checks'>,
    private readonly now: () => Date,
  ) {
    this.unknown = Object.fromEntries(checks.parts.map((name) => [name, 0]));
    this.web = newest(devices, checks.reports, 'datetime', isReportOfWeb);
    this.chart = checks.traffic && newest(devices, checks.traffic, 'bucketStart', hasLasted);
  }

  /** Gives each device its `check`, in place. */
  async fill(devices: readonly CheckedDevice[], selection: Selection): Promise<void> {
    const ids = [...new Set(devices.map(({ id }) => id))];
    const since = this.now().getTime() - DEFAULT_DAYS * DAY;
    const read = async (
      name: 'webStat' | 'chartStat',
      statement: typeof this.web | undefined,
      projection: Projection,
      from: Date | number,
    ): Promise<ReadonlyMap<number, object[]>> => {
      if (statement === undefined || !selection.has(name) || ids.length === 0) return new Map();
      const shape = projection.of(selection.of(name));
      const rows = await statement(shape).all(this.database, { ids, since: from });
      return Map.groupBy(rows, ({ $device }) => $device);
    };
    const [webStats, chartStats] = await Promise.all([
      read('webStat', this.web, WEB_STAT, new Date(since)),
      read('chartStat', this.chart, CHART_STAT, Math.floor(since / 1000)),
    ]);
    for (const device of devices) {
      const { id: deviceId, status, stat, createdAt } = device;
      const check = {
        deviceId,
        stat: stat ?? { ...this.unknown, datetime: createdAt },
        status,
        webStat: webStats.get(deviceId) ?? [],
        chartStat: chartStats.get(deviceId) ?? [],
      };
      device.check = check;
    }
  }
}

/** Which series; absent is null. */
export interface SeriesQuery {
  from?: Date | null;
  to?: Date | null;
  bucket?: SeriesSize | null;
}

/** Whole buckets in UTC: `from` is the begin of the first one, `to` the end of the last one. */
interface Frame {
  from: Date;
  to: Date;
  bucket: SeriesSize;
}

interface Range {
  ids: readonly number[];
  from: Date;
  to: Date;
}

/** Rows of each device in buckets; `time` is the moment of a row. */
function inBuckets(
  devices: DeviceKind['table'],
  rows: RowTable,
  time: Expression,
  where: (p: Placeholders<Range>) => Expression,
) {
  const read = (size: SeriesSize) => {
    const begin = sql`date_trunc(${size}, ${time}, 'UTC')`.as('begin');
    return projected<Range>()((p, { select }) => {
      const found = { select: [begin, ...select], where: where(p), rest: sql`group by 1, 2` };
      return ofEachDevice<{ begin: string }>(devices, rows, found, p('ids'));
    });
  };
  return { HOUR: read('HOUR'), DAY: read('DAY') };
}

function isReportOfRange(p: Placeholders<Range>): Expression {
  return sql`${report.datetime} >= ${p('from')} and ${report.datetime} < ${p('to')}`;
}

function isTrafficOfRange(p: Placeholders<Range>): Expression {
  const second = (name: 'from' | 'to') => sql`extract(epoch from ${p(name)}::timestamptz)::bigint`;
  return sql`${traffic.bucket_start} >= ${second('from')} and ${traffic.bucket_start} < ${second('to')}`;
}

const REPORTED = {
  reports: sql`sum(${report.reports})`,
  wafProtection: sql`coalesce(sum(${report.waf_protection}), 0)`,
  totalManagedRequests: sql`coalesce(sum(${report.total_managed_requests}), 0)`,
};

const COUNTED = {
  totalRequests: sql`sum(${traffic.total_requests})`,
  maliciousRequests: sql`sum(${traffic.malicious_requests})`,
};

/** A bucket without reports. */
const NOTHING = {
  ...{ reports: 0, status: 0, wafProtection: 0, totalManagedRequests: 0 },
  ...{ totalRequests: 0, maliciousRequests: 0 },
};

/** Reads series by hour or day: one statement for all devices and each source. */
export class DeviceSeries {
  private readonly sources;

  constructor(
    private readonly database: Database,
    { table: devices, checks: { reports, parts, traffic: buckets } }: Pick<DeviceKind, 'table' | 'checks'>,
    private readonly now: () => Date,
  ) {
    const worst = sql`greatest(${sql.join(parts.map((part) => sql`max(${sql.ref(`c.${part}`)})`))})`;
    const begin = sql`to_timestamp(${traffic.bucket_start})`;
    this.sources = [
      {
        projection: new Projection(undefined, { ...REPORTED, status: worst }, []),
        read: inBuckets(devices, reports, report.datetime, isReportOfRange),
      },
      ...(buckets === undefined
        ? []
        : [
            {
              projection: new Projection(undefined, COUNTED, []),
              read: inBuckets(devices, buckets, begin, isTrafficOfRange),
            },
          ]),
    ];
  }

  /** The number of buckets of such a series. Throws BAD_USER_INPUT for none or too many. */
  bucketsOf(query: SeriesQuery): number {
    return countOf(this.frameOf(query));
  }

  /** The same series of each device. Throws BAD_USER_INPUT when it has no buckets or too many. */
  async ofDevices(ids: readonly number[], query: SeriesQuery, selection: Selection) {
    const frame = this.frameOf(query);
    const { from, to, bucket } = frame;
    const found = await Promise.all(
      this.sources.map(async ({ projection, read }) => {
        const shape = projection.of(selection.of('points'));
        return shape.select.length === 0 ? [] : read[bucket](shape).all(this.database, { ids, from, to });
      }),
    );
    const reported = new Map<string, object>();
    for (const { $device, begin, ...values } of found.flat()) {
      const key = `${$device} ${begin}`;
      reported.set(key, { ...reported.get(key), ...values });
    }
    const begins = Array.from({ length: countOf(frame) }, (_, index) =>
      new Date(from.getTime() + index * LENGTHS[bucket]).toISOString(),
    );
    const point = (id: number, begin: string) => ({ ...NOTHING, ...reported.get(`${id} ${begin}`), begin });
    return new Map(ids.map((id) => [id, { ...frame, points: begins.map((begin) => point(id, begin)) }]));
  }

  private frameOf({ from, to, bucket }: SeriesQuery): Frame {
    const size = bucket ?? 'HOUR';
    const length = LENGTHS[size];
    const end = Math.ceil((to ?? this.now()).getTime() / length) * length;
    const begin = Math.floor((from?.getTime() ?? end - DEFAULT_DAYS * DAY) / length) * length;
    const frame = { from: new Date(begin), to: new Date(end), bucket: size };
    if (countOf(frame) < 1) throw invalidInput([{ path: ['from'], sentence: 'must be before to' }]);
    if (countOf(frame) > LIMITS.check.seriesBuckets)
      throw badUserInput([`a series must not have more than ${LIMITS.check.seriesBuckets} buckets`]);
    // Whole buckets exceed the selected range, and a series can begin before the first representable year.
    if (begin < FIRST_INSTANT || end > LAST_INSTANT)
      throw badUserInput(['the buckets of a series must lie in the years 1 to 9999']);
    return frame;
  }
}

function countOf({ from, to, bucket }: Frame): number {
  return (to.getTime() - from.getTime()) / LENGTHS[bucket];
}
