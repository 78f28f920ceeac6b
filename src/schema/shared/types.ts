import {
  Extensions,
  Field as DecoratedField,
  type FieldOptions,
  InputType,
  ObjectType,
  registerEnumType,
} from 'type-graphql';

/** Type of a field; a function, since a class may be named before it is defined. */
export type TypeOf = NonNullable<Parameters<typeof DecoratedField>[0]>;

interface Options extends FieldOptions {
  /** Usual number of items of a list, for the cost of an operation. */
  items?: number;
}

/** A field, which is always described. */
export function Field(type: TypeOf, description: string, { items, ...options }: Options = {}): PropertyDecorator {
  return (prototype, field) => {
    DecoratedField(type, { ...options, description })(prototype, field);
    if (items !== undefined) Extensions({ items })(prototype, field);
  };
}

/** The same where null is a value: an answer that may be absent, an input that need not be sent. */
export function Nullable(type: TypeOf, description: string, options: Options = {}): PropertyDecorator {
  return Field(type, description, { ...options, nullable: true });
}

/** A class to extend with these fields, by their descriptions; all of them are declared alike. */
export function fieldsOf<Name extends string, Value>(
  descriptions: Readonly<Record<Name, string>>,
  declare: (description: string) => PropertyDecorator,
): abstract new () => Record<Name, Value> {
  @ObjectType()
  @InputType()
  abstract class Fields {}

  for (const [name, description] of Object.entries<string>(descriptions)) declare(description)(Fields.prototype, name);
  return Fields as abstract new () => Record<Name, Value>;
}

/**
 * Registers a GraphQL enumeration whose names are its values, and returns it for `@Field(() => …)`. Every value carries
 * its description: given a union of strings as `Value`, the compiler finds the value that lacks one.
 */
export function enumeration<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, ValueText>>,
): { readonly [Name in Value]: Name } {
  const names = Object.keys(values) as Value[];
  const same = Object.fromEntries(names.map((value) => [value, value])) as { [Name in Value]: Name };
  return storedEnumeration(name, description, same, values);
}

/** The description of a value of an enumeration; of one that is deprecated, `{ description, ...deprecated(...) }`. */
type ValueText = string | { readonly description: string; readonly deprecationReason: string };

/** The same for values that are stored otherwise than GraphQL names them: `stored` has them by name. */
export function storedEnumeration<Stored extends Readonly<Record<string, string | number>>>(
  name: string,
  description: string,
  stored: Stored,
  descriptions: Readonly<Record<keyof Stored & string, ValueText>>,
): Stored {
  const valuesConfig = Object.fromEntries(
    Object.entries<ValueText>(descriptions).map(([value, text]) => [
      value,
      typeof text === 'string' ? { description: text } : text,
    ]),
  );
  registerEnumType<Record<string, string | number>>(stored, { name, description, valuesConfig });
  return stored;
}

/**
 * The plain row of a type. Decorator metadata would otherwise mention the class itself, and native modules fail to load
 * when a class is mentioned before it is defined. It also keeps rows plain: no instances of them are built.
 */
export type Plain<Shape> = Shape;

@ObjectType({
  description: 'A person who did something, as the record of it names them. The account may be gone by now.',
})
export class Person {
  @Field(() => String, 'User name at that time, or the pseudonym that has replaced it.')
  username!: string;
}
