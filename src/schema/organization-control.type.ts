import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';
import { DateScalar } from './scalars.js';
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

  @Field(() => DateScalar, { nullable: true, description: 'By which day it is to be done; null when none is set.' })
  dueDate!: string | null;
}

export const { Connection: OrganizationControlConnection } = connectionOf(
  'OrganizationControl',
  () => OrganizationControl,
);
