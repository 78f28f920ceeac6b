import { Field, ID, InputType, Int } from 'type-graphql';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import { ControlStatusEnum } from './organization-control.type.js';
import { DateScalar } from './scalars.js';

@InputType({ description: 'Which controls to list. All conditions hold at once.' })
export class OrganizationControlFilter {
  @Field(() => ControlStatusEnum, { nullable: true, description: 'Only those of this status.' })
  status?: ControlStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only those that this user answers for.' })
  owner?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only overdue ones, or only those that are not.' })
  overdue?: boolean | null;

  @Field(() => ID, { nullable: true, description: 'Only those directly below this control.' })
  parent?: string | null;
}

@InputType({ description: 'What becomes of controls. An absent field stays as it is; null clears.' })
export class ControlChangeInput {
  @Field(() => ControlStatusEnum, { nullable: true, description: 'How far the organization is; must not be null.' })
  status?: ControlStatus | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it does not apply: required with `NOT_APPLICABLE`, and with no other status. 2,000 characters.',
  })
  justification?: string | null;

  @Field(() => ID, { nullable: true, description: 'User id of the member who answers for it; must be an active one.' })
  ownerId?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'By which day it is to be done.' })
  dueDate?: string | null;

  @Field(() => String, { nullable: true, description: 'What the members should know of it. 5,000 characters.' })
  note?: string | null;
}

@InputType({ description: 'A control and what becomes of it. An absent field stays as it is; null clears.' })
export class ControlUpdateInput extends ControlChangeInput {
  @Field(() => ID, { description: 'Which control of the workflow.' })
  controlId!: string;
}

@InputType({ description: 'A control to change. An absent field stays as it is; null clears.' })
export class UpdateControlInput extends ControlUpdateInput {
  @Field(() => Int, { description: 'Which organization.' })
  organizationId!: number;

  @Field(() => ID, { description: 'Which of its workflows.' })
  workflowId!: string;
}

@InputType({
  description:
    'Controls to change, all or none: `controlIds` with one set of `changes`, or `updates`. 200 controls at most, each named once.',
})
export class UpdateControlsInput {
  @Field(() => Int, { description: 'Which organization.' })
  organizationId!: number;

  @Field(() => ID, { description: 'Which of its workflows.' })
  workflowId!: string;

  @Field(() => [ID], { nullable: true, description: 'Controls that all change alike.' })
  controlIds?: string[] | null;

  @Field(() => ControlChangeInput, { nullable: true, description: 'What becomes of each of `controlIds`.' })
  changes?: ControlChangeInput | null;

  @Field(() => [ControlUpdateInput], { nullable: true, description: 'Controls with what becomes of each.' })
  updates?: ControlUpdateInput[] | null;
}
