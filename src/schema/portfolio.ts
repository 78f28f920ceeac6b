import type { GraphQLInterfaceType, GraphQLSchema } from 'graphql';
import { ArgsType, type ClassType, Extensions, ID, Int, InterfaceType, ObjectType } from 'type-graphql';
import type { IncidentReportStage, IncidentStageState, Role, WorkAssignee, WorkKind } from '../values/enums.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { IncidentReportStageEnum, IncidentStageStateEnum } from './incidents/report-types.js';
import { Incident } from './incidents/types.js';
import { RoleEnum } from './members/types.js';
import { Organization } from './organizations/types.js';
import { orderOf, PageArgs } from './shared/connection.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { enumeration, Field, Nullable, type Plain } from './shared/types.js';
import { OrganizationControl, WorkflowProgress } from './workflows/types.js';

@ObjectType({ description: 'The report that an organization has to send next.' })
export class ReportDeadline {
  @Field(() => Incident, 'The incident that it is about.')
  incident!: Plain<Incident>;

  @Field(() => String, 'The regime that asks for it, such as `nis2`, `nis2-it` or `gdpr`.')
  regimeId!: string;

  @Field(() => String, 'Name of the regime.')
  regimeName!: string;

  @Field(() => IncidentReportStageEnum, 'Which report.')
  stage!: IncidentReportStage;

  @Field(() => Int, 'Counts the reports of one stage from 1.')
  number!: number;

  @Field(() => DateTimeScalar, 'When it is due.')
  dueAt!: Date | string;

  @Nullable(
    () => DateTimeScalar,
    'Until when it may be sent although that has passed, by a rule on working days or on its last day; null where the law does not allow it. It is OVERDUE after that only.',
  )
  extendedTo!: Date | string | null;

  @Field(() => IncidentStageStateEnum, 'PENDING, DUE_SOON or OVERDUE.')
  state!: IncidentStageState;
}

@ObjectType({ description: 'How many incidents of an organization have which status.' })
export class IncidentCounts {
  @Field(() => Int, 'Those that are OPEN.')
  open!: number;

  @Field(() => Int, 'Those that are CONTAINED.')
  contained!: number;

  @Field(() => Int, 'Those that are RESOLVED.')
  resolved!: number;

  @Field(() => Int, 'Those that are CLOSED.')
  closed!: number;

  @Extensions({ cost: COSTS.owedReports })
  @Field(() => Int, 'Those that are not closed and have a report that is OVERDUE.')
  overdue!: number;
}

@ObjectType({ description: 'How many controls of an organization are attested.' })
export class AttestationCounts {
  @Field(() => Int, 'Those whose attestation holds: it is ATTESTED or COUNTERSIGNED.')
  attested!: number;

  @Field(() => Int, 'Of these, those that are COUNTERSIGNED.')
  countersigned!: number;

  @Field(() => Int, 'Those whose attestation is STALE.')
  stale!: number;
}

@ObjectType({ description: 'An organization of the caller with the figures that matter first.' })
export class OrganizationOverview {
  @Field(() => Organization, 'The organization.')
  organization!: Plain<Organization>;

  @Field(() => RoleEnum, 'The role of the caller in it.')
  role!: Role;

  @Extensions({ cost: COSTS.organizationProgress })
  @Field(() => WorkflowProgress, 'The progress of all of its workflows together.')
  progress!: Plain<WorkflowProgress>;

  @Extensions({ cost: COSTS.organizationProgress })
  @Field(
    () => Int,
    'Controls whose due date has passed where the organization is while they are neither done nor left out.',
  )
  overdueControls!: number;

  @Extensions({ cost: COSTS.organizationAttestations })
  @Field(() => AttestationCounts, 'The attested controls of all of its workflows together.')
  attestations!: Plain<AttestationCounts>;

  @Field(() => IncidentCounts, 'Its incidents by status.')
  incidents!: Plain<IncidentCounts>;

  @Extensions({ cost: COSTS.owedReports })
  @Nullable(
    () => ReportDeadline,
    'The report with the earliest deadline that is owed, by until when it may be sent (`extendedTo`), also one that has passed; null when none is owed.',
  )
  nextDeadline!: Plain<ReportDeadline> | null;

  @Nullable(() => Int, 'Devices that are down; null below ORGANIZATION_MANAGER.')
  devicesDown!: number | null;
}

export const WorkKindEnum = enumeration<WorkKind>('WorkKind', 'What is to be done.', {
  CONTROL: 'An open control or task of a workflow, by its due date.',
  REVIEW: `A control that is not left out, whose newest document is STALE, or EXPIRING within ${LIMITS.document.expiringDays} days, by the last day of that document.`,
  REPORT: 'A report of an incident, by its deadline.',
});

export const WorkAssigneeEnum = enumeration<WorkAssignee>('WorkAssignee', 'Whose work is listed.', {
  ME: 'Controls and reviews that the caller answers for, and reports of organizations in which its role may record them (SECURITY_ANALYST).',
  ANYONE: 'All controls, reviews and reports, also those that no member answers for.',
});

@InterfaceType({ description: 'Something that is to be done in an organization by an instant.' })
export class WorkItem {
  @Field(() => WorkKindEnum, 'What it is.')
  kind!: WorkKind;

  @Field(() => String, 'The label of the control, or the title of the incident.')
  title!: string;

  @Field(() => DateTimeScalar, 'When it is due; of a control or review, the end of its day where the organization is.')
  dueAt!: Date | string;

  @Field(() => Boolean, 'Whether that has passed, and for a report until when it may be sent as well.')
  overdue!: boolean;

  @Field(() => Organization, 'The organization that it belongs to.')
  organization!: Plain<Organization>;

  @Nullable(() => OrganizationControl, 'The control, also of a review; null for reports.')
  control!: Plain<OrganizationControl> | null;

  @Nullable(() => ReportDeadline, 'The report; null for other kinds.')
  report!: Plain<ReportDeadline> | null;
}

@ObjectType({ description: 'A control or task to do by its due date.', implements: WorkItem })
class ControlWorkItem extends WorkItem {
  @Field(() => OrganizationControl, 'The control.')
  declare control: Plain<OrganizationControl>;
}

@ObjectType({ description: 'A control whose newest document is to be renewed.', implements: WorkItem })
class ReviewWorkItem extends WorkItem {
  @Field(() => OrganizationControl, 'The control.')
  declare control: Plain<OrganizationControl>;
}

@ObjectType({ description: 'A report of an incident to send by its deadline.', implements: WorkItem })
class ReportWorkItem extends WorkItem {
  @Field(() => ReportDeadline, 'The report.')
  declare report: Plain<ReportDeadline>;
}

const WORK_TYPES: Readonly<Record<WorkKind, ClassType>> = {
  CONTROL: ControlWorkItem,
  REVIEW: ReviewWorkItem,
  REPORT: ReportWorkItem,
};

/** Of an item the name of its type. The library's own resolver is asynchronous, which compiled operations are not. */
export function resolveWorkItems(schema: GraphQLSchema): void {
  const type = schema.getType(WorkItem.name) as GraphQLInterfaceType;
  type.resolveType = ({ kind }: WorkItem) => WORK_TYPES[kind].name;
}

const { maxPageSize } = LIMITS.portfolio;

@ArgsType()
export class PortfolioPageArgs extends PageArgs {
  @Nullable(
    () => Int,
    `How many organizations from the front: 1 to ${maxPageSize}. The default does not count beside \`last\` or \`before\`.`,
  )
  declare first?: number | null;

  @Nullable(() => Int, `How many organizations from the end: 1 to ${maxPageSize}. Not together with \`first\`.`)
  declare last?: number | null;
}

export type PortfolioOrder = InstanceType<typeof PortfolioOrder>;
export const PortfolioOrder = orderOf(
  'Portfolio',
  'the organizations of a portfolio',
  enumeration('PortfolioSortField', 'What the organizations of a portfolio are ordered by.', {
    NAME: 'By name.',
    CREATED_AT: 'By when they were created.',
    NEXT_DEADLINE: 'By the earliest deadline of a report that is owed; those that owe none come last either way.',
    OVERDUE_CONTROLS: 'By how many controls are overdue.',
  }),
);

@ArgsType()
export class WorkArgs extends PageArgs {
  @Nullable(() => WorkAssigneeEnum, 'Whose work; the caller’s own when absent.', { defaultValue: 'ME' })
  assignee?: WorkAssignee | null;

  @Nullable(
    () => ID,
    'User id of a member whose work is listed instead: its controls and reviews, and, where the caller may list members (SECURITY_OFFICER), reports that its role may record.',
  )
  assigneeId?: string | null;

  @Nullable(() => DateTimeScalar, 'Only what is due before this instant.')
  dueBefore?: Date | null;

  @Nullable(
    () => SafeIntScalar,
    'Only in this organization, which may be a sandbox; in all of the caller but sandboxes when absent.',
  )
  organizationId?: number | null;

  @Nullable(() => WorkKindEnum, 'Only this kind; all when absent.')
  kind?: WorkKind | null;
}
