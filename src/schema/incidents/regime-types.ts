import { Int, ObjectType } from 'type-graphql';
import type { EntityType, IncidentReportStage, ReportFieldSource, ReportTrigger } from '../../values/enums.js';
import { DateScalar } from '../shared/scalars.js';
import { enumeration, Field, Nullable, type Plain } from '../shared/types.js';
import { EntityTypeEnum } from '../workflows/types.js';
import { IncidentCategoryEnum } from './category.js';
import { IncidentReportStageEnum } from './report-types.js';

const ReportTriggerEnum = enumeration<ReportTrigger>(
  'ReportTrigger',
  'What the deadline of a report is counted from.',
  {
    AWARE: 'When the organization became aware of the incident.',
    OCCURRED: 'When the incident occurred; awareness while that is not known.',
    CLASSIFIED: 'When the incident was classified as major.',
    NOTIFIED: 'When the last report of the stage `after` was sent.',
    HANDLED: 'When the handling of the incident ended.',
    FIX_AVAILABLE: 'When a corrective or mitigating measure became available.',
    MONTHLY_WHILE_OPEN: 'Each month after the report of the stage `after`, while the incident is being handled.',
    REQUEST: 'The request of an authority, which gives the deadline.',
    WITHOUT_DELAY: 'Awareness, without undue delay: the act gives no hours.',
  },
);

const ReportAddresseeEnum = enumeration<'AUTHORITY' | 'PEOPLE'>('ReportAddressee', 'To whom a report is sent.', {
  AUTHORITY: 'An authority or a CSIRT.',
  PEOPLE: 'Those concerned, such as data subjects, users, or recipients of services.',
});

const ReportFieldSourceEnum = enumeration<ReportFieldSource>(
  'ReportFieldSource',
  'Where the draft of a report takes a field from.',
  {
    INCIDENT: 'A fact of the incident.',
    ORGANIZATION: 'A fact of the organization.',
    NOTES: 'The notes on the incident since the preceding report.',
    REPORTS: 'What is recorded about earlier reports.',
    PERSON: 'A text that a person has to write.',
  },
);

@ObjectType({ description: 'A fact, and the values of it that meet a condition.' })
class RegimeCondition {
  @Field(() => String, 'A fact of the incident or a setting of the organization, such as `significant` or `country`.')
  fact!: string;

  @Field(() => [String], 'One of these values is needed.')
  values!: readonly string[];
}

@ObjectType({ description: 'A category that an incident is reported under.' })
class RegimeCategory {
  @Field(() => IncidentCategoryEnum, 'Its name in the law, such as `IS-1`.')
  category!: string;

  @Field(() => String, 'What falls under it.')
  label!: string;

  @Nullable(() => EntityTypeEnum, 'The only entities that have it; null for all.')
  entity!: EntityType | null;
}

@ObjectType({ description: 'A rule that lets a deadline pass that is not on a working day.' })
class NextWorkingDay {
  @Field(() => String, 'Time of the next working day in the zone of the organization, such as `12:00`.')
  until!: string;

  @Field(() => String, 'The provision.')
  law!: string;
}

@ObjectType({ description: 'What the deadline of a report is counted from, and how long it is.' })
class ReportDeadline {
  @Field(() => ReportTriggerEnum, 'What it is counted from.')
  trigger!: ReportTrigger;

  @Nullable(
    () => IncidentReportStageEnum,
    'The stage whose report it is counted from; null where it is counted from something else.',
  )
  after!: IncidentReportStage | null;

  @Nullable(
    () => String,
    'How long it is, as an ISO 8601 duration such as `PT72H` or `P1M`; null where an authority gives it.',
  )
  period!: string | null;

  @Nullable(
    () => Int,
    'How many hours after awareness it is due at the latest, unless what it is counted from comes later still; null where there is no such limit.',
  )
  latestAwareHours!: number | null;

  @Nullable(
    () => NextWorkingDay,
    'Until when it may be sent where the deadline is on a Saturday, a Sunday or a public holiday; null where it may not.',
  )
  nextWorkingDay!: Plain<NextWorkingDay> | null;

  @Nullable(
    () => String,
    'The provision by which it may be sent until the end of its last day, or of the next working day where that is a Saturday, a Sunday or a public holiday; null where there is none.',
  )
  wholeDays!: string | null;
}

@ObjectType({ description: 'A deadline that replaces that of the stage under a condition.' })
class ReportDerogation extends ReportDeadline {
  @Field(() => [RegimeCondition], 'When it replaces the other: each of these is met.', { items: 2 })
  conditions!: Plain<RegimeCondition>[];

  @Field(() => String, 'Why it replaces the other.')
  reason!: string;
}

@ObjectType({ description: 'What a law asks for in a report.' })
export class ReportField {
  @Field(() => String, 'Its name among the fields of the report.')
  key!: string;

  @Field(() => String, 'What is required.')
  label!: string;

  @Field(() => ReportFieldSourceEnum, 'Where a draft takes it from.')
  source!: ReportFieldSource;

  @Nullable(() => String, 'The provision that asks for it; null where none does.')
  law!: string | null;

  @Field(() => Boolean, 'Whether it is required only where it applies or is known.')
  optional!: boolean;
}

@ObjectType({ description: 'A report that a reporting regime asks for.' })
class RegimeStage extends ReportDeadline {
  @Field(() => IncidentReportStageEnum, 'Which report.')
  stage!: IncidentReportStage;

  @Nullable(() => Int, 'How many monthly reports at most; null where there is no such limit.')
  atMost!: number | null;

  @Field(() => String, 'To whom it is sent.')
  recipient!: string;

  @Field(
    () => ReportAddresseeEnum,
    'Whether it goes to an authority, or to people: those may be informed at any time, and no other report waits for it.',
  )
  addressee!: 'AUTHORITY' | 'PEOPLE';

  @Nullable(() => String, 'When it is required, where a person decides that; null where it always is.')
  onlyWhere!: string | null;

  @Nullable(
    () => String,
    'The provision by which it is not due in some cases, which is then recorded with the reasons; null where there is none.',
  )
  notDue!: string | null;

  @Field(() => Boolean, 'Whether updates of it may follow, which have no deadline.')
  updates!: boolean;

  @Field(() => [IncidentReportStageEnum], 'Reports before it that may be sent in one with it; may be empty.')
  mayInclude!: readonly IncidentReportStage[];

  @Nullable(
    () => String,
    'The provision by which it need not be sent where what it asks for was provided already; null where there is none.',
  )
  alreadyProvided!: string | null;

  @Field(() => [ReportField], 'What the law asks for in it.', { items: 4 })
  fields!: Plain<ReportField>[];

  @Field(() => [ReportDerogation], 'Other deadlines; the first whose conditions are met holds.', { items: 1 })
  derogations!: Plain<ReportDerogation>[];
}

@ObjectType({ description: 'Conditions on the profile and settings of an organization that are met together.' })
class RegimeAlternative {
  @Field(() => [RegimeCondition], 'Each of them is met; the value `*` is any that the fact has.', { items: 1 })
  conditions!: Plain<RegimeCondition>[];
}

@ObjectType({ description: 'Organizations that a law is not for although it would be.' })
class RegimeException extends RegimeAlternative {
  @Field(() => String, 'Why it is not for them.')
  reason!: string;
}

@ObjectType({ description: 'Which organizations a law is for, by their profile and settings.' })
class RegimeScope {
  @Field(() => [RegimeAlternative], 'It is for organizations that meet one of them.', { items: 2 })
  alternatives!: Plain<RegimeAlternative>[];

  @Field(() => String, 'What is said where none is met.')
  outside!: string;

  @Field(() => [RegimeException], 'It is not for organizations that meet one of these; may be empty.', { items: 1 })
  exceptions!: Plain<RegimeException>[];
}

@ObjectType({ description: 'What a country adds to a regime, from a day on until the next one of the same country.' })
class NationalRule {
  @Field(() => String, 'ISO 3166-1 alpha-2 code of the country: the setting of the organization.')
  country!: string;

  @Field(() => DateScalar, 'First day on which awareness of an incident falls under it.')
  validFrom!: string;

  @Field(() => String, 'Name of the regime there.')
  name!: string;

  @Field(() => String, 'The act, and what differs in it; or that the country has none, and whose deadlines are shown.')
  source!: string;

  @Field(() => String, 'Address of the act.')
  sourceUrl!: string;

  @Field(() => String, 'The authority that reports are sent to.')
  recipient!: string;

  @Nullable(() => String, 'Address of the portal where they are sent; null where none is known.')
  portalUrl!: string | null;

  @Nullable(() => String, 'What to know before reporting there; null when nothing.')
  remarks!: string | null;

  @Field(() => DateScalar, 'When it was checked.')
  checkedOn!: string;

  @Field(() => String, 'What was read when it was checked, and what was not.')
  checked!: string;
}

@ObjectType({ description: 'Which fact of an organization has the first day on which a law applies to it.' })
class RegimeBeginning {
  @Field(() => String, 'The fact, such as `nis2_reporting_from`.')
  fact!: string;

  @Field(() => String, 'Why the law has such a day; it follows "because".')
  reason!: string;
}

@ObjectType({
  description: 'A law that asks for reports after an incident, in one version: another one has other days.',
})
export class ReportingRegime {
  @Field(() => String, 'Its id, such as `nis2`, `nis2-it` or `gdpr`.')
  regimeId!: string;

  @Field(() => String, 'Its name.')
  name!: string;

  @Field(() => String, 'The act and its article.')
  source!: string;

  @Field(() => String, 'Address of the act.')
  sourceUrl!: string;

  @Field(() => DateScalar, 'First day on which awareness of an incident falls under it.')
  validFrom!: string;

  @Nullable(() => DateScalar, 'The last such day; null while there is none.')
  validUntil!: string | null;

  @Nullable(() => DateScalar, 'Day on which it was last compared with the act; null where that is not stated.')
  checkedOn!: string | null;

  @Nullable(() => RegimeBeginning, "A first day of the entity's own before which it does not apply; null without one.")
  begins!: Plain<RegimeBeginning> | null;

  @Nullable(() => String, 'Id of the regime that does not apply where this one does; null where there is none.')
  replaces!: string | null;

  @Nullable(() => RegimeScope, 'Which organizations it is for; null where it is for all.')
  scope!: Plain<RegimeScope> | null;

  @Field(() => [RegimeCondition], 'When it applies: each of these is met.', { items: 2 })
  conditions!: Plain<RegimeCondition>[];

  @Field(() => String, 'Why it applies where it does.')
  reason!: string;

  @Field(() => [RegimeCategory], 'Categories that an incident is reported under; may be empty.', { items: 1 })
  categories!: Plain<RegimeCategory>[];

  @Field(() => [RegimeStage], 'Its reports, in the order in which they are sent.', { items: 4 })
  stages!: Plain<RegimeStage>[];

  @Field(() => [NationalRule], 'Recipient, portal and act by country; may be empty.', { items: 8 })
  national!: Plain<NationalRule>[];
}
