import { ID, Int, ObjectType } from 'type-graphql';
import type { ControlStatus, EntityType, EvidenceState } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { DateScalar, DateTimeScalar } from '../shared/scalars.js';
import { Optional } from '../shared/optional.js';
import { enumeration, Field, Nullable, type Plain, storedEnumeration } from '../shared/types.js';
import { Version } from '../shared/version.js';

export type WorkflowKind = 'FRAMEWORK' | 'TASK_SET';
export type ControlKind = 'CONTROL' | 'TASK';

// Specification 4.8.
export const WorkflowKindEnum = enumeration<WorkflowKind>('WorkflowKind', 'What a workflow is.', {
  FRAMEWORK: 'A compliance framework.',
  TASK_SET: 'A set of tasks.',
});

// Specification 2.2.
export const EntityTypeEnum = storedEnumeration(
  'EntityType',
  'A kind of entity under NIS 2.',
  { IMPORTANT: 'important', ESSENTIAL: 'essential' } satisfies { [Value in EntityType as Uppercase<Value>]: Value },
  { IMPORTANT: 'An important entity.', ESSENTIAL: 'An essential entity.' },
);

export const ControlKindEnum = enumeration<ControlKind>('ControlKind', 'What an item of a workflow is.', {
  CONTROL: 'A control: something to keep up and to show evidence for.',
  TASK: 'A task: something to get done.',
});

// Specification 2.9, 4.8.
@ObjectType({
  description: 'A compliance framework or task set that organizations can associate.',
})
export class Workflow {
  @Field(() => ID, 'Its key: `workflowId`; below an organization `organizationId/workflowId`.')
  id!: string;

  @Field(() => String, 'Name of the workflow.')
  name!: string;

  @Field(() => String, 'Edition of the data, as its source numbers it.')
  edition!: string;

  @Field(() => WorkflowKindEnum, 'Framework or task set.')
  kind!: WorkflowKind;

  @Field(() => String, 'Where its controls come from.')
  source!: string;

  @Nullable(() => String, 'Address of the source; null when it has none.')
  sourceUrl!: string | null;

  @Field(() => String, 'Under which terms its data is given.')
  licence!: string;

  @Nullable(() => String, 'What a reader should know about the data; null when nothing.')
  remarks!: string | null;
}

/** A control as the catalogue has it. */
@ObjectType()
class CatalogControl {
  // Specification 2.3.
  @Field(() => ID, 'Its number in the source, such as `A.5.1`: the artifact id of documents.')
  controlId!: string;

  @Field(() => String, 'A short label in our own words, not the official title.')
  label!: string;

  @Nullable(() => String, 'What the source asks for, in its own words, where an import has it; null otherwise.')
  text!: string | null;

  @Nullable(() => ID, 'Number of the heading above, such as `A.5`; null at the top.')
  parentId!: string | null;

  @Field(() => ControlKindEnum, 'Control or task.')
  kind!: ControlKind;

  @Field(() => Int, 'Place in the reading order of the workflow, from 1.')
  position!: number;
}

@ObjectType({ description: 'A control or task of a workflow, as the catalogue has it.' })
export class WorkflowControl extends CatalogControl {
  @Field(() => ID, 'Its key: that of the workflow, and `controlId`.')
  id!: string;

  @Nullable(() => [EntityTypeEnum], 'Which entities under NIS 2 it binds; null means all.')
  entities!: readonly EntityType[] | null;
}

// Specification 4.8.
@ObjectType({ description: 'A workflow that is associated with an organization.' })
export class OrganizationWorkflow {
  @Field(() => ID, 'Its key: `organizationId/workflowId`.')
  id!: string;

  // Specification 2.9.
  @Field(() => ID, 'Id of the workflow in the catalogue.')
  workflowId!: string;

  @Field(() => String, 'Name of the workflow.')
  name!: string;

  @Field(() => DateTimeScalar, 'When it was associated with the organization.')
  associatedAt!: Date | string;

  @Field(() => WorkflowProgress, 'How far the organization is.')
  progress!: Plain<WorkflowProgress>;
}

@ObjectType({ description: 'How many controls of a workflow have which status.' })
export class WorkflowProgress {
  @Field(() => Int, 'All controls and tasks except headings: the sum of the four others.')
  total!: number;

  @Field(() => Int, 'Those not begun.')
  toDo!: number;

  @Field(() => Int, 'Those under way.')
  inProgress!: number;

  @Field(() => Int, 'Those done.')
  done!: number;

  @Field(() => Int, 'Those that do not apply.')
  notApplicable!: number;
}

@ObjectType({ description: 'How far an organization was with a workflow at the end of a day of its own time zone.' })
export class ProgressDay extends WorkflowProgress {
  @Field(() => DateScalar, 'The day.')
  day!: string;
}

@ObjectType({ description: 'How an organization has progressed with a workflow.' })
export class ProgressHistory {
  @Field(() => [ProgressDay], 'The days on which something changed, oldest first.')
  days!: Plain<ProgressDay>[];

  @Field(() => Int, 'How many they are.')
  totalCount!: number;
}

export const ControlStatusEnum = enumeration<ControlStatus>(
  'ControlStatus',
  'How far an organization is with a control or task.',
  {
    TO_DO: 'Not begun: what every control is at first.',
    IN_PROGRESS: 'Under way.',
    DONE: 'Done.',
    NOT_APPLICABLE: 'Does not apply to this organization; the justification says why.',
  },
);

@ObjectType({ description: 'A control or task of a workflow, with how far one organization is with it.' })
export class OrganizationControl extends CatalogControl {
  @Field(() => ID, 'Its key: `organizationId/workflowId/controlId`.')
  id!: string;

  @Version('state of the control')
  version!: number;

  // Specification 2.9.
  @Field(() => ID, 'Id of the workflow in the catalogue.')
  workflowId!: string;

  @Field(
    () => ControlStatusEnum,
    'How far the organization is. That of a heading, a control with others below it, counts nowhere.',
  )
  status!: ControlStatus;

  @Optional(() => String, 'Why the control does not apply; with no other status than `NOT_APPLICABLE`.')
  justification!: string | null;

  @Optional(() => String, 'Why it was chosen, such as a risk, a law or a contract.')
  inclusionReason!: string | null;

  @Nullable(() => ControlOwner, 'The member who is responsible for it; null when there is none.')
  owner!: Plain<ControlOwner> | null;

  @Nullable(() => DateScalar, 'By which day it is to be done; null when none is set.')
  dueDate!: string | null;

  @Field(() => Boolean, 'Whether that day has passed where the organization is while it is neither done nor left out.')
  overdue!: boolean;

  @Optional(() => String, 'What the members should know of it.')
  note!: string | null;

  @Nullable(() => Int, 'After how many months evidence without a last day of its own is stale; null when it never is.')
  reviewIntervalMonths!: number | null;

  @Nullable(() => DateTimeScalar, 'When it was last changed; null when it never was.')
  updatedAt!: Date | string | null;
}

@ObjectType({ description: 'A member who answers for a control, as far as every member may know it.' })
export class ControlOwner {
  @Field(() => ID, 'Id of the user.')
  userId!: string;

  @Field(() => String, 'User name.')
  username!: string;

  @Optional(() => String, 'First name.')
  firstName!: string | null;

  @Optional(() => String, 'Last name.')
  lastName!: string | null;
}

export const EvidenceStateEnum = enumeration<EvidenceState>(
  'EvidenceState',
  'Whether evidence still shows that a control is met.',
  {
    FRESH: 'It does.',
    EXPIRING: `It does, for ${LIMITS.document.expiringDays} days at most.`,
    STALE: 'Its last day has passed where the organization is: newer evidence is needed.',
  },
);

@ObjectType({
  description:
    'Document versions that show how a control is met: its own, and those of controls in other workflows of the organization that cover the same subject (a public or our own mapping says which; what is below a mapped control inherits its mapping).',
})
export class ControlEvidence {
  @Field(() => Int, 'How many are stored for the control itself.')
  own!: number;

  @Field(() => Int, 'How many are stored for equivalent controls.')
  mapped!: number;

  @Field(() => Int, 'The sum of both.')
  total!: number;

  @Field(() => [ControlEvidenceSource], 'Which controls the mapped ones belong to.')
  sources!: Plain<ControlEvidenceSource>[];

  @Nullable(
    () => DateScalar,
    'The last day on which they show it; null without documents, and when there is no last day. The newest document of the control itself decides; where it has none, the newest of the equivalent control that is valid for longest, for no longer than the review interval.',
  )
  validUntil!: string | null;
}

@ObjectType({ description: 'An equivalent control that has documents.' })
export class ControlEvidenceSource {
  @Field(() => ID, 'Id of its workflow.')
  workflowId!: string;

  @Field(() => ID, 'Its number: the artifact id of the documents.')
  controlId!: string;

  @Field(() => Int, 'How many document versions are stored for it.')
  documents!: number;

  @Nullable(
    () => ID,
    'Number of the heading that the mapping names where one of the two controls inherits it; null where it names both.',
  )
  via!: string | null;
}
