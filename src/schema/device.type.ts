import { type ClassType, Field, Float, Int, ObjectType } from 'type-graphql';
import type { SeriesSize } from '../vocabulary/series-sizes.js';
import { enumeration } from './enumeration.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

@ObjectType({
  description: 'One report of the web traffic that a device looked after (specification 2.6 `web_stat`).',
  simpleResolvers: true,
})
export class WebStat {
  @Field(() => DateTimeScalar, { description: 'When the device reported.' })
  datetime!: Date | string;

  @Field(() => Int, { description: 'Requests that the web application firewall stopped.' })
  wafProtection!: number;

  @Field(() => Int, { description: 'All requests that the device looked after.' })
  totalManagedRequests!: number;
}

export const SeriesSizeEnum = enumeration<SeriesSize>('SeriesSize', 'How long the buckets of a series are, in UTC.', {
  HOUR: 'An hour.',
  DAY: 'A day.',
});

@ObjectType({
  description: 'What a device reported in one bucket of time; zeros where it reported nothing.',
  simpleResolvers: true,
})
export class DevicePoint {
  @Field(() => DateTimeScalar, { description: 'Begin of the bucket.' })
  begin!: Date | string;

  @Field(() => Int, { description: 'How many reports there are.' })
  reports!: number;

  @Field(() => Int, { description: 'The worst that a report said: 0 unknown, 1 healthy, 2 degraded, 3 down.' })
  status!: number;

  // A day of busy devices counts further than an Int does.
  @Field(() => Float, { description: 'Requests that the web application firewall stopped: a whole number.' })
  wafProtection!: number;

  @Field(() => Float, { description: 'All requests that the device looked after: a whole number.' })
  totalManagedRequests!: number;
}

@ObjectType({
  description: 'What a threat blocker reported in one bucket of time; zeros where it reported nothing.',
  simpleResolvers: true,
})
export class ThreatBlockerPoint extends DevicePoint {
  @Field(() => Float, { description: 'Requests of the `chart_stat` whose own buckets begin in this one.' })
  totalRequests!: number;

  @Field(() => Float, { description: 'Those of them that were malicious.' })
  maliciousRequests!: number;
}

/** Makes a type of series. Call it once for a name: types of one name would meet in the schema. */
function seriesOf<Point extends object>(name: string, point: () => ClassType<Point>) {
  @ObjectType(name, {
    description: 'What a device reported in whole buckets of time; reports are kept for 90 days.',
    simpleResolvers: true,
  })
  class Series {
    @Field(() => DateTimeScalar, { description: 'Begin of the first bucket.' })
    from!: Date | string;

    @Field(() => DateTimeScalar, { description: 'End of the last bucket.' })
    to!: Date | string;

    @Field(() => SeriesSizeEnum, { description: 'How long each bucket is.' })
    bucket!: SeriesSize;

    @Field(() => [point()], { description: 'Every bucket, oldest first; 2,200 at most.' })
    points!: Plain<Point>[];
  }
  return Series;
}

export const DeviceSeries = seriesOf('DeviceSeries', () => DevicePoint);
export const ThreatBlockerSeries = seriesOf('ThreatBlockerSeries', () => ThreatBlockerPoint);

@ObjectType({
  description: 'What became of reports. It is the same however often the same reports are sent.',
  simpleResolvers: true,
})
export class DeviceReceipt {
  @Field(() => Int, { description: 'How many reports were sent.' })
  received!: number;

  @Field(() => DateTimeScalar, { description: 'The moment of the newest of them.' })
  newest!: Date | string;
}
