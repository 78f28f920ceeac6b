import { ObjectType } from 'type-graphql';
import { Field } from './field.js';

@ObjectType({
  description: 'A person who did something, as the record of it names them. The account may be gone by now.',
})
export class Person {
  @Field(() => String, 'User name at that time.')
  username!: string;
}
