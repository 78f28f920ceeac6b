import { Field, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'A person who did something, as the record of it names them. The account may be gone by now.',
})
export class Person {
  @Field(() => String, { description: 'User name at that time.' })
  username!: string;
}
