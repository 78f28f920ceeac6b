import { Int } from 'type-graphql';
import { Field, Nullable } from './types.js';

/** The field `version` of a type that can be changed. */
export const Version = (noun: string) =>
  Field(
    () => Int,
    `Grows with each change of the ${noun}. Send it along with a change that must not overwrite the change of another user.`,
  );

/** The field `version` of every input that changes a versioned object. */
export const ExpectedVersion = Nullable(
  () => Int,
  'The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between.',
);
