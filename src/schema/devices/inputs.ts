import { InputType } from 'type-graphql';
import type { CheckStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { orderOf } from '../shared/connection.js';
import { Constrained, List, Text, text } from '../shared/constraints.js';
import { JsonObjectScalar, SafeIntScalar } from '../shared/scalars.js';
import { enumeration, Field, Nullable, type Plain } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';
import { DeviceHealthEnum } from './types.js';

@InputType({ description: 'Which device configurations to list. All conditions hold at once.' })
export class DeviceFilter {
  @Nullable(() => String, 'Only those whose names or addresses contain this text; case and accents make no difference.')
  @Text({ max: LIMITS.search.filterCharacters })
  search?: string | null;

  @Nullable(() => DeviceHealthEnum, 'Only those of this `check.status`.')
  status?: CheckStatus | null;

  @Nullable(
    () => Boolean,
    'Only deleted ones that may still be restored; only those that are not deleted when false or absent.',
  )
  deleted?: boolean | null;
}

export type DeviceOrder = InstanceType<typeof DeviceOrder>;
export const DeviceOrder = orderOf(
  'Device',
  'device configurations',
  enumeration('DeviceSortField', 'What a list of device configurations is ordered by.', {
    ID: 'By id.',
    NAME: 'Edge protections by domain name, threat blockers by device identifier.',
    STATUS: 'By `check.status`.',
    LAST_SEEN_AT: 'By when the newest report came in; a device that never reported stands where it was created.',
  }),
);

/** The key of one edge protection. */
@InputType()
export abstract class CloudDefenderIdInput {
  @Field(() => SafeIntScalar, 'Which configuration.')
  cloudDefenderId!: number;
}

/** The same where it is changed. */
@InputType()
abstract class ChangedCloudDefenderInput extends CloudDefenderIdInput {
  @ExpectedVersion
  version?: number | null;
}

@InputType()
export abstract class ThreatBlockerIdInput {
  @Field(() => SafeIntScalar, 'Which configuration.')
  threatBlockerId!: number;
}

/** The same where it is changed. */
@InputType()
abstract class ChangedThreatBlockerInput extends ThreatBlockerIdInput {
  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'A new edge-protection configuration.' })
export class CreateCloudDefenderInput {
  @Field(() => SafeIntScalar, 'The organization that gets the configuration.')
  organizationId!: number;

  @Field(() => String, 'Contact e-mail of the configuration.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;

  @Field(() => String, 'Protected domain name, a hostname.')
  @Text({ max: LIMITS.organization.domainCharacters, format: 'hostname' })
  fqdn!: string;

  @Field(() => String, 'IP address of the endpoint, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip' })
  endpoint!: string;

  @Nullable(() => [String], 'Names of services to enable, free words; none when absent.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;
}

@InputType({
  description: 'Changes of an edge-protection configuration. What is absent stays as it is.',
})
export class UpdateCloudDefenderInput extends ChangedCloudDefenderInput {
  @Nullable(() => String, 'Contact e-mail of the configuration; not null.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email', notNull: true })
  email?: string | null;

  @Nullable(() => String, 'Protected domain name, a hostname; not null.')
  @Text({ max: LIMITS.organization.domainCharacters, format: 'hostname', notNull: true })
  fqdn?: string | null;

  @Nullable(() => String, 'IP address of the endpoint, IPv4 or IPv6; not null.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', notNull: true })
  endpoint?: string | null;

  @Nullable(() => [String], 'Names of all enabled services; null means none.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;
}

@InputType({ description: 'An edge-protection configuration to delete.' })
export class DeleteCloudDefenderInput extends ChangedCloudDefenderInput {}

@InputType({ description: 'An edge-protection configuration to restore; it was deleted in the last 30 days.' })
export class RestoreCloudDefenderInput extends CloudDefenderIdInput {}

// Specification 2.7 plugin.
@InputType({ description: 'The plug-in of a threat blocker.' })
export class ThreatBlockerPluginInput {
  @Nullable(() => String, 'Name of the plug-in.')
  @Text({ max: LIMITS.device.wordCharacters, min: 0, trim: true })
  name?: string | null;

  @Nullable(() => JsonObjectScalar, 'Its configuration, stored key for key.')
  @Constrained({ json: { levels: LIMITS.device.configLevels, bytes: LIMITS.device.configBytes } })
  config?: Plain<Record<string, unknown>> | null;
}

// Specification 2.7.
@InputType({ description: 'A new threat-blocker configuration. Its key is made for it.' })
export class CreateThreatBlockerInput {
  @Field(() => SafeIntScalar, 'The organization that gets the configuration.')
  organizationId!: number;

  @Field(() => String, 'Kind of configuration: a free word.')
  @Text({ max: LIMITS.device.wordCharacters, trim: true })
  type!: string;

  @Field(() => String, 'Contact e-mail of the configuration.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;

  @Nullable(() => ThreatBlockerPluginInput, 'The plug-in that the device runs.')
  plugin?: ThreatBlockerPluginInput | null;

  @Field(() => String, 'IP address of the endpoint, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip' })
  endpoint!: string;

  @Nullable(() => String, 'Private IP address, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', orEmpty: true })
  privateIP?: string | null;

  @Nullable(() => [String], 'Names of services to enable, free words; none when absent.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;

  @Nullable(() => String, 'Device identifier.')
  @Text({ max: LIMITS.device.deviceIdCharacters, min: 0, trim: true })
  deviceId?: string | null;
}

@InputType({
  description:
    'Changes of a threat-blocker configuration. What is absent stays as it is; null empties what may be empty.',
})
export class UpdateThreatBlockerInput extends ChangedThreatBlockerInput {
  @Nullable(() => String, 'Kind of configuration; not null.')
  @Text({ max: LIMITS.device.wordCharacters, trim: true, notNull: true })
  type?: string | null;

  @Nullable(() => String, 'Contact e-mail of the configuration; not null.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email', notNull: true })
  email?: string | null;

  @Nullable(
    () => ThreatBlockerPluginInput,
    'The plug-in: absent parts of it stay as well, and a configuration is replaced as a whole.',
  )
  plugin?: ThreatBlockerPluginInput | null;

  @Nullable(() => String, 'IP address of the endpoint, IPv4 or IPv6; not null.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', notNull: true })
  endpoint?: string | null;

  @Nullable(() => String, 'Private IP address, IPv4 or IPv6.')
  @Text({ max: LIMITS.device.addressCharacters, format: 'ip', orEmpty: true })
  privateIP?: string | null;

  @Nullable(() => [String], 'Names of all enabled services; null means none.')
  @List({ max: LIMITS.device.services, items: text({ max: LIMITS.device.wordCharacters, trim: true }) })
  services?: string[] | null;

  @Nullable(() => String, 'Device identifier.')
  @Text({ max: LIMITS.device.deviceIdCharacters, min: 0, trim: true })
  deviceId?: string | null;
}

@InputType({ description: 'A threat-blocker configuration to delete.' })
export class DeleteThreatBlockerInput extends ChangedThreatBlockerInput {}

@InputType({ description: 'A threat-blocker configuration to restore; it was deleted in the last 30 days.' })
export class RestoreThreatBlockerInput extends ThreatBlockerIdInput {}

@InputType({ description: 'A threat-blocker configuration that is to get another key.' })
export class RotateAtbKeyInput extends ChangedThreatBlockerInput {}
