import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg as DecoratedArgument,
  type ClassType,
  createParameterDecorator,
  type FieldOptions,
  FieldResolver as ResolvedField,
  Mutation as ChangingField,
  ObjectType,
  Query as ReadingField,
} from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Order, Selection } from '../../common/selection.js';
import type { GraphQLContext } from '../../http/context.js';
import { cursorOf, type Placed } from '../../database/cursor.js';
import { joined, ofMade, selectionOf } from '../../graphql/selection.js';
import type { Services } from '../../services/index.js';
import { edgeOf } from '../../schema/shared/connection.js';
import { Field, type TypeOf } from '../../schema/shared/types.js';

export function Query(type: TypeOf, description: string, options: FieldOptions = {}): MethodDecorator {
  return ReadingField(type, { ...options, description });
}

export function FieldResolver(type: TypeOf, description: string, options: FieldOptions = {}): MethodDecorator {
  return ResolvedField(type, { ...options, description });
}

/** A mutation with its description, and the fields of its result, which is the type `<Mutation>Payload`. */
export function Mutation(description: string, fields: PayloadFields, options: MutationOptions = {}): MethodDecorator {
  return (prototype, method, descriptor) => {
    const { name = String(method), result = `The result of \`${name}\`.`, adds, ...rest } = options;

    @ObjectType(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`, { description: result })
    class Payload {}

    for (const [field, [type, text, nullable]] of Object.entries(fields))
      Field(type, text, nullable)(Payload.prototype, field);
    if (adds !== undefined) addEdge(Payload, adds, fields, descriptor);
    ChangingField(() => Payload, { ...rest, name, description })(prototype, method, descriptor);
  };
}

/** Type and description of each field of a payload; `nullable` where absence is an answer. */
type PayloadFields = Readonly<
  Record<string, readonly [TypeOf, description: string, options?: { nullable?: true; deprecationReason?: string }]>
>;

interface MutationOptions {
  /** That of the method when absent. */
  name?: string;
  /** The field of the object added to a list: the result has it as an edge of that list as well. */
  adds?: string;
  result?: string;
  deprecationReason?: string;
}

/** The field `<made>Edge`, for clients that add it to a list which they have. */
function addEdge(Payload: ClassType, made: string, fields: PayloadFields, descriptor: PropertyDescriptor): void {
  const [type] = fields[made] as PayloadFields[string];
  const mayBeKnown = 'created' in fields;
  const text = 'The same as an item of its list, with its place in the default order.';
  Field(
    edgeOf(type() as ClassType),
    mayBeKnown ? `${text} Null when it was in the list before.` : text,
    mayBeKnown ? { nullable: true } : {},
  )(Payload.prototype, `${made}Edge`);
  const make = descriptor.value as (...args: unknown[]) => Promise<Record<string, Placed>>;
  descriptor.value = async function (...args: unknown[]) {
    const payload = await make.apply(this, args);
    return { ...payload, [`${made}Edge`]: edgeFrom(payload, payload[made] as Placed) };
  };
}

/** The place of a record is there where its cursor is selected. */
function edgeFrom({ created }: { created?: unknown }, node: Placed) {
  return created === false ? null : { node, cursor: cursorOf(node) };
}

export function Arg(name: string, type: TypeOf, description: string, options: ArgOptions = {}): ParameterDecorator {
  return DecoratedArgument(name, type, { ...options, description }) as ParameterDecorator;
}

type ArgOptions = Parameters<typeof DecoratedArgument>[2];

/** The argument `input` of a mutation, whose type is that of the parameter. */
export function Input(description: string): ParameterDecorator {
  return DecoratedArgument('input', { description }) as ParameterDecorator;
}

/** The argument `filter` of a list. */
export function Filter(type: () => ClassType, description: string): ParameterDecorator {
  return Arg('filter', type, description, { nullable: true });
}

/** The argument `orderBy` of a list, which is in this order when it is absent. */
export function OrderBy<SortField extends string>(
  type: () => ClassType<Order<SortField>>,
  defaultValue: Required<Order<SortField>>,
  description: string,
): ParameterDecorator {
  return Arg('orderBy', type, description, { nullable: true, defaultValue });
}

/** Parameter with the arguments of a use case: caller, and the selection below the field, or of this field of its answer. */
export function Call(field?: string): ParameterDecorator {
  return createParameterDecorator<GraphQLContext>(({ context: { services, caller }, info }): Call => {
    const selection = selectionOf(info);
    return { services, caller, selection: field === undefined ? selection : ofMade(selection, field) };
  }) as ParameterDecorator;
}

export interface Call<Selected = Selection> {
  readonly services: Services;
  readonly caller: Caller;
  readonly selection: Selected;
}

/** The same for a list. */
export function ListCall(): ParameterDecorator {
  return createParameterDecorator<GraphQLContext>(({ context: { services, caller }, info }): ListCall => ({
    services,
    caller,
    selection: listSelectionOf(info),
  })) as ParameterDecorator;
}

export type ListCall = Call<ListSelection>;

export function listSelectionOf(info: GraphQLResolveInfo): ListSelection {
  const selection = selectionOf(info);
  return {
    items: joined(selection.of('nodes'), selection.of('edges').of('node')),
    total: selection.has('totalCount'),
  };
}
