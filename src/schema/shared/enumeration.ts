import { registerEnumType } from 'type-graphql';

/**
 * Registers a GraphQL enumeration whose names are its values, and returns it for `@Field(() => …)`. Every value carries
 * its description: given a union of strings as `Value`, the compiler finds the value that lacks one.
 */
export function enumeration<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
): { readonly [Name in Value]: Name } {
  const names = Object.keys(values) as Value[];
  const object = Object.fromEntries(names.map((value) => [value, value])) as { [Name in Value]: Name };
  const valuesConfig = Object.fromEntries(names.map((value) => [value, { description: values[value] }]));
  registerEnumType<Record<string, string>>(object, { name, description, valuesConfig });
  return object;
}
