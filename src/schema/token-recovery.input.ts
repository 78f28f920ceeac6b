import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A request for a link that makes a new token.' })
export class RequestTokenRecoveryInput {
  @Field(() => String, { description: 'The e-mail address of the user, in any case.' })
  email!: string;
}

@InputType({ description: 'The link of a mail.' })
export class RecoverTokenInput {
  @Field(() => String, { description: 'The secret of the link; it begins with `rec_`.' })
  secret!: string;
}
