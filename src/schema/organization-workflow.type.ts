import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { DateScalar, DateTimeScalar } from './scalars.js';

@ObjectType({
  description: 'A workflow that an organization has taken up (specification 4.8).',
  simpleResolvers: true,
})
export class OrganizationWorkflow {
  @Field(() => ID, {
    description: '`<organizationId>/<workflowId>`: each organization is differently far with a workflow.',
  })
  id!: string;

  @Field(() => ID, { description: 'Id of the workflow in the catalogue (specification 2.9).' })
  workflowId!: string;

  @Field(() => String, { description: 'Name of the workflow.' })
  name!: string;

  @Field(() => DateTimeScalar, { description: 'When it was associated with the organization.' })
  associatedAt!: Date | string;

  @Field(() => WorkflowProgress, { description: 'How far the organization is.' })
  progress!: Plain<WorkflowProgress>;
}

@ObjectType({ description: 'How many controls of a workflow have which status.', simpleResolvers: true })
export class WorkflowProgress {
  @Field(() => Int, { description: 'All controls and tasks: the sum of the four others.' })
  total!: number;

  @Field(() => Int, { description: 'Those not begun.' })
  toDo!: number;

  @Field(() => Int, { description: 'Those under way.' })
  inProgress!: number;

  @Field(() => Int, { description: 'Those done.' })
  done!: number;

  @Field(() => Int, { description: 'Those that do not apply.' })
  notApplicable!: number;
}

@ObjectType({
  description: 'How far an organization was with a workflow at the end of a day, in UTC.',
  simpleResolvers: true,
})
export class ProgressDay extends WorkflowProgress {
  @Field(() => DateScalar, { description: 'The day.' })
  day!: string;
}

@ObjectType({ description: 'How an organization has progressed with a workflow.', simpleResolvers: true })
export class ProgressHistory {
  @Field(() => [ProgressDay], { description: 'The days on which something changed, oldest first.' })
  days!: Plain<ProgressDay>[];

  @Field(() => Int, { description: 'How many they are.' })
  totalCount!: number;
}

@ObjectType({ description: 'What came of taking up a workflow.', simpleResolvers: true })
export class AssociateWorkflowPayload {
  @Field(() => Boolean, { description: 'Whether it was taken up now; false when it was before.' })
  created!: boolean;

  @Field(() => OrganizationWorkflow, { description: 'The workflow as the organization has it.' })
  organizationWorkflow!: Plain<OrganizationWorkflow>;
}

@ObjectType({ description: 'What came of letting a workflow go.', simpleResolvers: true })
export class DissociateWorkflowPayload {
  @Field(() => OrganizationWorkflow, { description: 'The workflow as the organization had it.' })
  organizationWorkflow!: Plain<OrganizationWorkflow>;
}

export const { Connection: OrganizationWorkflowConnection } = connectionOf(
  'OrganizationWorkflow',
  () => OrganizationWorkflow,
);
