import { ArgsType, Field, InputType, Int } from 'type-graphql';
import type { SeriesSize } from '../vocabulary/series-sizes.js';
import { SeriesSizeEnum } from './device.type.js';
import { enumeration } from './enumeration.js';
import { DateTimeScalar } from './scalars.js';
import { type SortDirection, SortDirectionEnum } from './sort-direction.enum.js';

@InputType({ description: 'Which device configurations to list. All conditions hold at once.' })
export class DeviceFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Only those whose names or addresses contain this text, in any case.',
  })
  search?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Only those of this `check.status`: 0 unknown, 1 healthy, 2 degraded, 3 down.',
  })
  status?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only deleted ones that may still be restored; only those that are not deleted when false or absent.',
  })
  deleted?: boolean | null;
}

export type DeviceSortField = 'ID' | 'NAME' | 'STATUS' | 'LAST_SEEN';

export const DeviceSortFieldEnum = enumeration<DeviceSortField>(
  'DeviceSortField',
  'What a list of device configurations is ordered by.',
  {
    ID: 'By id.',
    NAME: 'Edge protections by domain name, threat blockers by device identifier.',
    STATUS: 'By `check.status`.',
    LAST_SEEN: 'By when the newest report came in; a device that never reported stands where it was created.',
  },
);

@InputType({ description: 'How to order device configurations.' })
export class DeviceOrder {
  @Field(() => DeviceSortFieldEnum, { description: 'What to order by.' })
  field!: DeviceSortField;

  @Field(() => SortDirectionEnum, { nullable: true, description: 'Which way; `ASC` when absent.' })
  direction?: SortDirection | null;
}

/** What names one device; inputs of single devices extend it. */
@InputType()
export class DeviceIdInput {
  @Field(() => Int, { description: 'Which configuration.' })
  id!: number;
}

@ArgsType()
export class SeriesArgs {
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'The series begins with the bucket of this moment; seven days before its end when absent.',
  })
  from?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The series ends with the bucket before this moment, or with the one that it lies in; now when absent.',
  })
  to?: Date | null;

  @Field(() => SeriesSizeEnum, { nullable: true, description: 'How long the buckets are; an hour when absent.' })
  bucket?: SeriesSize | null;
}

@InputType({ description: 'The web traffic that a device looked after since the report before (specification 2.6).' })
export class WebStatInput {
  @Field(() => Int, { description: 'Requests that the web application firewall stopped.' })
  wafProtection!: number;

  @Field(() => Int, { description: 'All requests that the device looked after.' })
  totalManagedRequests!: number;
}

/** What reports of both kinds of devices have. */
@InputType()
export class DeviceReportInput {
  @Field(() => DateTimeScalar, {
    description: 'The moment that it is of: at most 90 days ago, and at most five minutes ahead of our clock.',
  })
  datetime!: Date;

  @Field(() => WebStatInput, { nullable: true, description: 'Web traffic, where there is any to tell of.' })
  webStat?: WebStatInput | null;
}
