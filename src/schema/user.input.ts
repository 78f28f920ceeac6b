import { Field, InputType } from 'type-graphql';

@InputType({
  description: 'What the caller is called. What is absent stays as it is; the empty text takes a name away.',
})
export class UpdateProfileInput {
  @Field(() => String, { nullable: true, description: 'First name: one line of 200 characters at most.' })
  firstName?: string | null;

  @Field(() => String, { nullable: true, description: 'Last name: one line of 200 characters at most.' })
  lastName?: string | null;
}
