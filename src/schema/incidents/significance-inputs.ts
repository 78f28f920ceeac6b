import { ArgsType, InputType } from 'type-graphql';
import { List, Text, text } from '../shared/constraints.js';
import { Field } from '../shared/types.js';
import { ChangedIncidentRef, IncidentRef } from './inputs.js';

/** As catalog/regimes/significance/significance.schema.json says it. */
const MOST = { idCharacters: 64, services: 50, questions: 200 } as const;

@ArgsType()
export class SignificanceQuestionsArgs extends IncidentRef {}

@InputType({ description: 'The answer to a question of significance.' })
class SignificanceAnswerInput {
  @Field(() => String, 'Which question, such as `7-a`.')
  @Text({ max: MOST.idCharacters, trim: true })
  question!: string;

  @Field(() => Boolean, 'Whether it is so.')
  answer!: boolean;
}

@InputType({ description: 'The answers by which an incident is significant or not.' })
export class AssessIncidentInput extends ChangedIncidentRef {
  @Field(() => [String], 'The services that the incident concerns, such as `cloud`.')
  @List({ min: 1, max: MOST.services, items: text({ max: MOST.idCharacters }) })
  services!: string[];

  @Field(
    () => [SignificanceAnswerInput],
    'The answers: one yes is enough, without one each criterion of the services needs a no.',
  )
  @List({ min: 1, max: MOST.questions })
  answers!: SignificanceAnswerInput[];
}
