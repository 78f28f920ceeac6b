import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

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

export const { Connection: OrganizationWorkflowConnection } = connectionOf(
  'OrganizationWorkflow',
  () => OrganizationWorkflow,
);
