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
  const same = Object.fromEntries(names.map((value) => [value, value])) as { [Name in Value]: Name };
  return storedEnumeration(name, description, same, values);
}

/** The same for values that are stored otherwise than GraphQL names them: `stored` has them by name. */
export function storedEnumeration<Stored extends Readonly<Record<string, string | number>>>(
  name: string,
  description: string,
  stored: Stored,
  descriptions: Readonly<Record<keyof Stored & string, string>>,
): Stored {
  const valuesConfig = Object.fromEntries(
    Object.entries(descriptions).map(([value, text]) => [value, { description: text as string }]),
  );
  registerEnumType<Record<string, string | number>>(stored, { name, description, valuesConfig });
  return stored;
}
