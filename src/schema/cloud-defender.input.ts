import { Field, InputType, Int } from 'type-graphql';
import { DeviceIdInput, DeviceReportInput } from './device.input.js';

@InputType({ description: 'A new edge-protection configuration (specification 2.6).' })
export class CreateCloudDefenderInput {
  @Field(() => Int, { description: 'Whose configuration it becomes.' })
  organizationId!: number;

  @Field(() => String, { description: 'Contact e-mail of the configuration.' })
  email!: string;

  @Field(() => String, { description: 'Protected domain name, a hostname.' })
  fqdn!: string;

  @Field(() => String, { description: 'IP address of the endpoint, IPv4 or IPv6.' })
  endpoint!: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Names of services to enable, 50 at most; free words of up to 64 characters. None when absent.',
  })
  services?: string[] | null;
}

@InputType({
  description: 'Changes of an edge-protection configuration (specification 2.6). What is absent stays as it is.',
})
export class UpdateCloudDefenderInput extends DeviceIdInput {
  @Field(() => String, { nullable: true, description: 'Contact e-mail of the configuration; not null.' })
  email?: string | null;

  @Field(() => String, { nullable: true, description: 'Protected domain name, a hostname; not null.' })
  fqdn?: string | null;

  @Field(() => String, { nullable: true, description: 'IP address of the endpoint, IPv4 or IPv6; not null.' })
  endpoint?: string | null;

  @Field(() => [String], { nullable: true, description: 'Names of all enabled services; null means none.' })
  services?: string[] | null;
}

@InputType({ description: 'An edge-protection configuration to delete (specification 4.5).' })
export class DeleteCloudDefenderInput extends DeviceIdInput {}

@InputType({ description: 'An edge-protection configuration to restore; it was deleted in the last 30 days.' })
export class RestoreCloudDefenderInput extends DeviceIdInput {}

@InputType({
  description: 'State of each part (specification 2.6 `stat`): 0 not checked, 1 healthy, 2 degraded, 3 down.',
})
export class CloudDefenderStatInput {
  @Field(() => Int, { description: 'State of the protected domain name.' })
  fqdn!: number;

  @Field(() => Int, { description: 'State of the proxy.' })
  proxy!: number;

  @Field(() => Int, { description: 'State of the endpoint.' })
  endpoint!: number;
}

@InputType({ description: 'What an edge protection found at one moment.' })
export class CloudDefenderReportInput extends DeviceReportInput {
  @Field(() => CloudDefenderStatInput, { description: 'The state of its parts.' })
  stat!: CloudDefenderStatInput;
}

@InputType({ description: 'Reports of an edge protection.' })
export class ReportCloudDefenderCheckInput extends DeviceIdInput {
  @Field(() => [CloudDefenderReportInput], { description: 'Its reports, 1 to 100, in any order.' })
  reports!: CloudDefenderReportInput[];
}
