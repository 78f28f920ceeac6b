import { Field, ID, ObjectType } from 'type-graphql';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

@ObjectType({ description: 'A person who calls with a token.', simpleResolvers: true })
export class User {
  @Field(() => ID, { description: 'The UUID of the user (specification 2.8).' })
  id!: string;

  @Field(() => String, { description: 'User name; what uploads carry as their creator (specification 2.3).' })
  username!: string;

  @Field(() => String, { description: 'E-mail address, in lower case.' })
  email!: string;

  @Field(() => String, { description: 'First name.' })
  firstName!: string;

  @Field(() => String, { description: 'Last name.' })
  lastName!: string;

  @Field(() => DateTimeScalar, { description: 'When the user was created.' })
  createdAt!: Date | string;
}

@ObjectType({ description: 'What `updateProfile` answers.', simpleResolvers: true })
export class UpdateProfilePayload {
  @Field(() => User, { description: 'The caller as it is called now.' })
  user!: Plain<User>;
}
