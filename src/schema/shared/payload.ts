import { type ClassType, Field, ObjectType } from 'type-graphql';

/** Type and description of a payload's field; `nullable` where absence is an answer. */
type PayloadField = readonly [type: () => unknown, description: string, options?: { nullable: true }];

/** Makes `<Mutation>Payload`, the result of the mutation of that name. */
export function payload(mutation: string, fields: Readonly<Record<string, PayloadField>>): ClassType<object> {
  const field = `${mutation.charAt(0).toLowerCase()}${mutation.slice(1)}`;

  @ObjectType(`${mutation}Payload`, { description: `The result of \`${field}\`.` })
  class Payload {}

  for (const [name, [type, description, options]] of Object.entries(fields)) {
    Field(type as () => ClassType, { ...options, description })(Payload.prototype, name);
  }
  return Payload;
}
