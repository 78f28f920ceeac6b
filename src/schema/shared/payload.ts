import { ObjectType } from 'type-graphql';
import { Field, type TypeOf } from './field.js';

/** Type and description of each field of a payload; `nullable` where absence is an answer. */
export type PayloadFields = Readonly<
  Record<string, readonly [type: TypeOf, description: string, options?: { nullable: true }]>
>;

/** Makes `<Mutation>Payload`, the result of the mutation of that name. */
export function payload(
  mutation: string,
  fields: PayloadFields,
  description = `The result of \`${mutation}\`.`,
): new () => object {
  @ObjectType(`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`, { description })
  class Payload {}

  for (const [name, [type, text, options]] of Object.entries(fields))
    Field(type, text, options)(Payload.prototype, name);
  return Payload;
}
