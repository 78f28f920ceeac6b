import { Float, Int, ObjectType } from 'type-graphql';
import { DocumentSourceEnum } from '../documents.js';
import { IncidentReportStageEnum } from '../incidents/report-types.js';
import { IncidentSeverityEnum, IncidentStatusEnum } from '../incidents/types.js';
import { RoleDescription } from '../members/types.js';
import { NotificationActionEnum, NotificationTypeEnum } from '../notifications.js';
import type { SpelledOption } from '../shared/spelled.js';
import { Field, type Plain } from '../shared/types.js';
import { TokenScopeEnum } from '../tokens.js';
import { ControlStatusEnum } from '../workflows/types.js';
import {
  ComplianceFrameworkValueEnum,
  DeviceKindOption,
  IndustryOption,
  InfrastructureOption,
  Nis2SectorOption,
  SectorOption,
} from './lists.js';
import { Branding, OrganizationSettings } from './types.js';

@ObjectType({ description: 'A compliance framework with what its `fields` may say.' })
export class FrameworkOption {
  // Specification 2.2.
  @Field(() => ComplianceFrameworkValueEnum, 'What inputs take.')
  value!: string;

  @Field(() => String, 'Its exact spelling, which people read.')
  label!: string;

  @Field(() => [String], 'What `fields.extensions` may hold.')
  extensions!: readonly string[];

  @Field(() => [String], 'What `fields.entity_type` may be.')
  entityTypes!: readonly string[];
}

@ObjectType({ description: 'A language in which the gateway writes to people.' })
export class LanguageOption {
  @Field(() => String, 'Its tag (BCP 47), such as `it`.')
  tag!: string;

  @Field(() => String, 'Its name, in the language itself.')
  name!: string;
}

@ObjectType({ description: 'What a value of an enumeration is called.' })
export class ValueLabel {
  @Field(() => String, 'Name of the enumeration in GraphQL, such as `IncidentSeverity`.')
  enumeration!: string;

  @Field(() => String, 'The value, such as `CRITICAL`.')
  value!: string;

  @Field(() => String, 'What people read, in the language of the argument.')
  label!: string;
}

@ObjectType({ description: 'What an integer of `check.status` means.' })
export class CheckStatusOption {
  @Field(() => String, 'Its name.')
  name!: string;

  @Field(() => Int, 'The integer.')
  value!: number;
}

@ObjectType({ description: 'A type of file that may be uploaded.' })
export class FileTypeOption {
  @Field(() => String, 'What it is called.')
  name!: string;

  @Field(() => [String], 'Media types that may be declared for it; the first is the one that is stored.')
  mediaTypes!: readonly string[];

  @Field(() => [String], 'Extensions that its name may have, without the dot.')
  extensions!: readonly string[];
}

@ObjectType({ description: 'A number that a caller can run into.' })
export class LimitOption {
  @Field(() => String, 'What is limited, in the spelling of REST, such as `organization.name_characters`.')
  name!: string;

  @Field(() => Float, 'The number, inclusive.')
  value!: number;
}

@ObjectType({ description: 'What forms can offer: value lists in exact spelling, roles, types and limits.' })
export class FormOptions {
  @Field(() => String, 'Changes whenever anything below does: keep the rest for as long as it is the same.')
  revision!: string;

  // Specification 2.2.
  @Field(() => [SectorOption], 'Sectors of an organization.')
  sectors!: readonly SpelledOption[];

  // Specification 2.2.
  @Field(() => [IndustryOption], 'Industries of an organization.')
  industries!: readonly SpelledOption[];

  // Specification 2.2.
  @Field(() => [Nis2SectorOption], 'NIS 2 sectors of an organization.')
  nis2Sectors!: readonly SpelledOption[];

  // Specification 2.2.
  @Field(() => [FrameworkOption], 'Frameworks that an organization may name.')
  complianceFrameworks!: Plain<FrameworkOption>[];

  // Specification 2.2.
  @Field(() => [InfrastructureOption], 'Where systems run.')
  infrastructures!: readonly SpelledOption[];

  @Field(() => [RoleDescription], 'Roles, lowest rank first, each with all of its privileges.')
  roles!: Plain<RoleDescription>[];

  @Field(() => [TokenScopeEnum], 'What a token may be used for.')
  tokenScopes!: readonly string[];

  // Specification 2.11.
  @Field(() => [NotificationTypeEnum], 'Categories of notifications.')
  notificationTypes!: readonly string[];

  // Specification 2.11.
  @Field(() => [NotificationActionEnum], 'What notifications invite to.')
  notificationActions!: readonly string[];

  @Field(() => [IncidentSeverityEnum], 'How bad incidents are, mildest first.')
  severities!: readonly string[];

  @Field(() => [IncidentStatusEnum], 'The progress of handling incidents.')
  incidentStatuses!: readonly string[];

  @Field(() => [IncidentReportStageEnum], 'Reports of incidents, in their order.')
  incidentReportStages!: readonly string[];

  @Field(() => [ControlStatusEnum], 'The progress of an organization with a control.')
  controlStatuses!: readonly string[];

  // Specification 2.6, 2.7.
  @Field(() => [DeviceKindOption], 'Kinds of device configurations, each by its path segment.')
  deviceKinds!: readonly SpelledOption[];

  // Specification 2.6, 2.7.
  @Field(() => [CheckStatusOption], 'What the integers of `check.status` mean.')
  checkStatuses!: Plain<CheckStatusOption>[];

  // Specification 2.3.
  @Field(() => [DocumentSourceEnum], 'Where document versions come from.')
  documentSources!: readonly string[];

  @Field(() => [FileTypeOption], 'Files that documents and attachments may be.')
  fileTypes!: Plain<FileTypeOption>[];

  @Field(() => [FileTypeOption], 'Files that logos may be.')
  logoTypes!: Plain<FileTypeOption>[];

  @Field(() => [String], 'Time zones to offer, by their IANA names; older names are taken as well.')
  timeZones!: readonly string[];

  @Field(() => [ValueLabel], 'What values of enumerations are called.')
  labels!: readonly Plain<ValueLabel>[];

  @Field(() => [LanguageOption], 'Languages that a user or an organization may have chosen.')
  languages!: readonly Plain<LanguageOption>[];

  @Field(() => OrganizationSettings, 'Settings of an organization that has changed none.')
  settings!: Plain<OrganizationSettings>;

  // Specification 4.9.
  @Field(() => Branding, 'Branding of an organization that has configured none.')
  branding!: Plain<Branding>;

  @Field(
    () => [LimitOption],
    'Limits of values, files, lists and numbers of records, with the quotas of the operator; not those of rates and of GraphQL operations.',
  )
  limits!: Plain<LimitOption>[];
}
