import { Field, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { DeviceReceipt, WebStat } from './device.type.js';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

@ObjectType({
  description: 'Edge-protection configuration of an organization (specification 2.6).',
  simpleResolvers: true,
})
export class CloudDefender {
  @Field(() => Int, { description: 'The number that addresses of the REST interface carry (specification 4.4).' })
  id!: number;

  @Field(() => Organization, { description: 'Whose configuration it is.' })
  organization!: Plain<Organization>;

  @Field(() => String, { description: 'Contact e-mail of the configuration.' })
  email!: string;

  @Field(() => String, { description: 'Protected domain name.' })
  fqdn!: string;

  @Field(() => String, { description: 'IP address of the endpoint.' })
  endpoint!: string;

  @Field(() => [String], { description: 'Enabled service names.' })
  services!: string[];

  @Field(() => CloudDefenderCheck, { description: 'What the device reported (specification 2.6 `check`).' })
  check!: Plain<CloudDefenderCheck>;

  @Field(() => DateTimeScalar, { description: 'When the configuration was created.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'When the configuration was last changed.' })
  updatedAt!: Date | string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the newest report of the device came in; null before the first one.',
  })
  lastSeenAt!: Date | string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the configuration was deleted; null while it was not. It may be restored for 30 days.',
  })
  deletedAt!: Date | string | null;
}

@ObjectType({ description: 'What an edge protection reported (specification 2.6 `check`).', simpleResolvers: true })
export class CloudDefenderCheck {
  @Field(() => CloudDefenderStat, {
    description: 'The newest report; before the first one zeros, and the time when the device was created.',
  })
  stat!: Plain<CloudDefenderStat>;

  @Field(() => Int, { description: 'Overall state: 0 unknown, 1 healthy, 2 degraded, 3 down.' })
  status!: number;

  @Field(() => [WebStat], { description: 'Its reports of web traffic, oldest first.' })
  webStat!: WebStat[];
}

@ObjectType({
  description:
    'One report of an edge protection (specification 2.6 `stat`): of each part 0 not checked, 1 healthy, 2 degraded, 3 down.',
  simpleResolvers: true,
})
export class CloudDefenderStat {
  @Field(() => Int, { description: 'State of the protected domain name.' })
  fqdn!: number;

  @Field(() => Int, { description: 'State of the proxy.' })
  proxy!: number;

  @Field(() => Int, { description: 'State of the endpoint.' })
  endpoint!: number;

  @Field(() => DateTimeScalar, { description: 'When the device reported.' })
  datetime!: Date | string;
}

/** What the answers to all changes have. */
@ObjectType({ simpleResolvers: true })
class CloudDefenderPayload {
  @Field(() => CloudDefender, { description: 'The record as it is now.' })
  cloudDefender!: Plain<CloudDefender>;
}

@ObjectType({ description: 'What `createCloudDefender` answers.', simpleResolvers: true })
export class CreateCloudDefenderPayload extends CloudDefenderPayload {}

@ObjectType({ description: 'What `updateCloudDefender` answers.', simpleResolvers: true })
export class UpdateCloudDefenderPayload extends CloudDefenderPayload {}

@ObjectType({ description: 'What `restoreCloudDefender` answers.', simpleResolvers: true })
export class RestoreCloudDefenderPayload extends CloudDefenderPayload {}

@ObjectType({ description: 'What `deleteCloudDefender` answers.', simpleResolvers: true })
export class DeleteCloudDefenderPayload {
  @Field(() => CloudDefender, { description: 'The record that was deleted (specification 4.5).' })
  cloudDefender!: Plain<CloudDefender>;
}

@ObjectType({ description: 'What `reportCloudDefenderCheck` answers.', simpleResolvers: true })
export class ReportCloudDefenderCheckPayload {
  @Field(() => DeviceReceipt, { description: 'What became of the reports.' })
  receipt!: Plain<DeviceReceipt>;
}

export const { Connection: CloudDefenderConnection } = connectionOf('CloudDefender', () => CloudDefender);
