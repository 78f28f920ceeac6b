import { type ClassType, ObjectType } from 'type-graphql';
import { toEnumName } from '../../common/naming.js';
import { Field, storedEnumeration } from './types.js';

/**
 * Registers a GraphQL enumeration of values that REST and the database spell as they are: names are made of them, and each
 * description is the spelling.
 */
export function spelledEnumeration(
  name: string,
  description: string,
  spellings: readonly string[],
): Readonly<Record<string, string>> {
  const stored = Object.fromEntries(spellings.map((spelling) => [toEnumName(spelling), spelling]));
  if (Object.keys(stored).length < spellings.length) throw new Error(`Two values of ${name} have one name in GraphQL`);
  return storedEnumeration(name, description, stored, stored);
}

/** A value of such an enumeration, as a form offers it. */
export interface SpelledOption {
  readonly value: string;
  readonly label: string;
}

/** The type `<name>Option`: a value of an enumeration, with its spelling. Call it once for a name. */
export function optionOf(name: string, values: object, description: string): ClassType<SpelledOption> {
  @ObjectType(`${name}Option`, { description })
  class Option implements SpelledOption {
    @Field(() => values, 'What inputs take.')
    value!: string;

    @Field(() => String, 'Its exact spelling, which people read.')
    label!: string;
  }
  return Option;
}
