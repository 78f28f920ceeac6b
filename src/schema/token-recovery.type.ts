import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from './scalars.js';

@ObjectType({ description: 'What `requestTokenRecovery` answers, the same for every address.', simpleResolvers: true })
export class RequestTokenRecoveryPayload {
  @Field(() => Boolean, {
    description: 'Always true: if the address is the verified one of a user, a mail is on its way.',
  })
  accepted!: boolean;

  @Field(() => Int, { description: 'Minutes in which the link of the mail can be used.' })
  linkMinutes!: number;
}

@ObjectType({ description: 'What `recoverToken` answers.', simpleResolvers: true })
export class RecoverTokenPayload {
  @Field(() => String, { description: 'The new token, with the scopes `READ` and `WRITE`. It is shown here once.' })
  token!: string;

  @Field(() => DateTimeScalar, { description: 'From when on it is refused.' })
  tokenExpiresAt!: Date | string;

  @Field(() => ID, { description: 'The UUID of its user.' })
  userId!: string;

  @Field(() => String, { description: 'The name of the user.' })
  username!: string;

  @Field(() => String, { description: 'The e-mail address of the user.' })
  email!: string;
}
