import { Field, InputType, Int } from 'type-graphql';

@InputType({ description: 'An edge-protection configuration to delete (specification 4.5).' })
export class DeleteCloudDefenderInput {
  @Field(() => Int, { description: 'Which configuration.' })
  id!: number;
}
