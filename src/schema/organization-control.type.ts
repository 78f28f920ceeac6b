import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';
import type { Plain } from './plain.js';
import { DateScalar, DateTimeScalar } from './scalars.js';
import { type ControlKind, ControlKindEnum } from './workflow.type.js';

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

@ObjectType({
  description: 'A control or task of a workflow, with how far one organization is with it.',
  simpleResolvers: true,
})
export class OrganizationControl {
  @Field(() => ID, {
    description: '`<organizationId>/<workflowId>/<controlId>`: each organization is differently far with a control.',
  })
  id!: string;

  @Field(() => ID, { description: 'Id of the workflow in the catalogue (specification 2.9).' })
  workflowId!: string;

  @Field(() => ID, {
    description: 'Its number in the source, such as `A.5.1`: the artifact id of documents (specification 2.3).',
  })
  controlId!: string;

  @Field(() => String, { description: 'A short label in our own words, not the official title.' })
  label!: string;

  @Field(() => ID, { nullable: true, description: '`controlId` of the heading above; null at the top.' })
  parentId!: string | null;

  @Field(() => ControlKindEnum, { description: 'Control or task.' })
  kind!: ControlKind;

  @Field(() => Int, { description: 'Place in the reading order of the workflow, from 1.' })
  position!: number;

  @Field(() => ControlStatusEnum, { description: 'How far the organization is.' })
  status!: ControlStatus;

  @Field(() => String, { description: 'Why the control does not apply; empty for every other status.' })
  justification!: string;

  @Field(() => ControlOwner, { nullable: true, description: 'The member who answers for it; null when nobody does.' })
  owner!: Plain<ControlOwner> | null;

  @Field(() => DateScalar, { nullable: true, description: 'By which day it is to be done; null when none is set.' })
  dueDate!: string | null;

  @Field(() => Boolean, { description: 'Whether that day has passed in UTC while it is neither done nor left out.' })
  overdue!: boolean;

  @Field(() => String, { description: 'What the members should know of it; empty when nothing.' })
  note!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was last changed; null when it never was.' })
  updatedAt!: Date | string | null;
}

@ObjectType({
  description: 'A member who answers for a control, as far as every member may know it.',
  simpleResolvers: true,
})
export class ControlOwner {
  @Field(() => ID, { description: 'Id of the user.' })
  userId!: string;

  @Field(() => String, { description: 'User name.' })
  username!: string;

  @Field(() => String, { description: 'First name.' })
  firstName!: string;

  @Field(() => String, { description: 'Last name.' })
  lastName!: string;
}

@ObjectType({
  description:
    'Document versions that show how a control is met: its own, and those of controls in other workflows of the organization that ask for the same (a public or our own mapping says which).',
  simpleResolvers: true,
})
export class ControlEvidence {
  @Field(() => Int, { description: 'How many are kept for the control itself.' })
  own!: number;

  @Field(() => Int, { description: 'How many are kept for the controls that ask for the same.' })
  mapped!: number;

  @Field(() => Int, { description: 'The sum of both.' })
  total!: number;

  @Field(() => [ControlEvidenceSource], { description: 'Which controls the mapped ones belong to.' })
  sources!: Plain<ControlEvidenceSource>[];
}

@ObjectType({ description: 'A control that asks for the same as another, and has documents.', simpleResolvers: true })
export class ControlEvidenceSource {
  @Field(() => ID, { description: 'Id of its workflow.' })
  workflowId!: string;

  @Field(() => ID, { description: 'Its number: the artifact id of the documents.' })
  controlId!: string;

  @Field(() => String, { description: 'Its label.' })
  label!: string;

  @Field(() => Int, { description: 'How many document versions are kept for it.' })
  documents!: number;
}

@ObjectType({ description: 'A control that was changed.', simpleResolvers: true })
export class UpdateControlPayload {
  @Field(() => OrganizationControl, { description: 'The control as it is now.' })
  control!: Plain<OrganizationControl>;
}

@ObjectType({ description: 'Controls that were changed.', simpleResolvers: true })
export class UpdateControlsPayload {
  @Field(() => [OrganizationControl], {
    description: 'The controls as they are now, in the order in which they were named.',
  })
  controls!: Plain<OrganizationControl>[];

  @Field(() => Int, { description: 'How many they are.' })
  totalCount!: number;
}

export const { Connection: OrganizationControlConnection } = connectionOf(
  'OrganizationControl',
  () => OrganizationControl,
);
