import { ObjectType } from 'type-graphql';
import { Field, Nullable, type Plain } from '../shared/types.js';

@ObjectType({ description: 'A service that an act has criteria of significance for.' })
class SignificanceService {
  @Field(() => String, 'Its id, such as `cloud`; `other` is any that no act has criteria of its own for.')
  service!: string;

  @Field(() => String, 'What it is.')
  label!: string;
}

@ObjectType({
  description: 'A criterion by which an incident is significant, as a question that is answered yes or no.',
})
class SignificanceQuestion {
  @Field(() => String, 'Its id, such as `7-a`.')
  question!: string;

  @Field(() => String, 'What is asked.')
  text!: string;

  @Field(() => String, 'The act that has the criterion.')
  act!: string;

  @Field(() => String, 'The provision of the act.')
  article!: string;

  @Field(() => String, 'Address of the act.')
  sourceUrl!: string;

  @Field(() => [String], 'It is asked where the incident concerns one of these services.')
  services!: readonly string[];

  @Nullable(
    () => String,
    'Questions of an act with the same word are one criterion, which is met where the answer to each is yes; null for one of its own.',
  )
  together!: string | null;

  @Field(() => Boolean, 'Whether yes means that the incident is not significant: no other answer can be yes then.')
  exempts!: boolean;
}

@ObjectType({ description: 'The questions whose answers say whether an incident is significant.' })
export class SignificanceQuestions {
  @Field(
    () => [SignificanceService],
    'The services that the organization may provide, by its profile at the time of awareness.',
    {
      items: 6,
    },
  )
  services!: Plain<SignificanceService>[];

  @Field(() => [SignificanceQuestion], 'The questions about these services.', { items: 20 })
  questions!: Plain<SignificanceQuestion>[];
}
