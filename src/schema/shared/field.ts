import { Field as DecoratedField, type FieldOptions } from 'type-graphql';

/** What a field answers or takes; a function, since a class may be named before it is defined. */
export type TypeOf = NonNullable<Parameters<typeof DecoratedField>[0]>;

/** A field, which is always described. */
export function Field(type: TypeOf, description: string, options: FieldOptions = {}): PropertyDecorator {
  return DecoratedField(type, { ...options, description }) as PropertyDecorator;
}

/** The same where null is a value: an answer that may be absent, an input that need not be sent. */
export function Nullable(type: TypeOf, description: string, options: FieldOptions = {}): PropertyDecorator {
  return Field(type, description, { ...options, nullable: true });
}
