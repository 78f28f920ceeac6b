import { type ClassType, ObjectType } from 'type-graphql';
import { Field } from './field.js';

/** Makes `<type>Permissions`: for each use case, by its description, whether it would accept the caller. */
export function permissions<Name extends string>(
  type: string,
  description: string,
  useCases: Readonly<Record<Name, string>>,
): ClassType<Record<Name, boolean>> {
  @ObjectType(`${type}Permissions`, { description })
  class Permissions {}

  for (const [name, text] of Object.entries<string>(useCases)) Field(() => Boolean, text)(Permissions.prototype, name);
  return Permissions as ClassType<Record<Name, boolean>>;
}
