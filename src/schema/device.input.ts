import { Field, InputType } from 'type-graphql';

@InputType({ description: 'Which device configurations to list.' })
export class DeviceFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Only those whose names or addresses contain this text, in any case.',
  })
  search?: string | null;
}
