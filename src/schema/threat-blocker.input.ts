import { Field, InputType, Int } from 'type-graphql';

@InputType({ description: 'A threat-blocker configuration to delete (specification 4.6).' })
export class DeleteThreatBlockerInput {
  @Field(() => Int, { description: 'Which configuration.' })
  id!: number;
}
