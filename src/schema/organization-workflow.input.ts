import { Field, ID, InputType, Int } from 'type-graphql';

@InputType({ description: 'A workflow that an organization takes up (specification 4.8).' })
export class AssociateWorkflowInput {
  @Field(() => Int, { description: 'Which organization.' })
  organizationId!: number;

  @Field(() => ID, { description: 'The `id` of an available workflow.' })
  id!: string;
}

@InputType({ description: 'A workflow that an organization lets go.' })
export class DissociateWorkflowInput {
  @Field(() => Int, { description: 'Which organization.' })
  organizationId!: number;

  @Field(() => ID, { description: 'Which of its workflows.' })
  workflowId!: string;
}
