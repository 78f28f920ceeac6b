import {
  getNamedType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  getNullableType,
  isLeafType,
  isListType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLInterfaceType,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
} from 'graphql';
import { toSnakeCase } from '../../common/naming.js';
import { emptyDescription, isWhenTrue } from '../../common/optional.js';
import type { CompiledOperation } from './core-path.js';
import { tableVariants, variantsOf, type View, type ViewFields } from '../route.js';
import { EMPTY_FIRST, REST_NAMES } from './rest-names.js';

/**
 * The REST view of the core schema, as a GraphQL schema: its types have the fields that REST shows, under REST's names,
 * and its root fields are the operation ids of the routes, whose result is the envelope (specification 2.1). Root fields
 * have no arguments: parameters and bodies are read before an operation is executed. Throws for what the core lacks.
 */
export function createRestView(
  core: GraphQLSchema,
  routes: readonly CompiledOperation[],
  views: Readonly<Record<string, View>>,
): GraphQLSchema {
  const types = new ViewTypes(core, views);
  const rootType = (name: 'Query' | 'Mutation') => {
    const own = routes
      .filter((route) => route.core.root.name === name)
      .flatMap((route) => [...variantsOf(route), ...tableVariants(route)]);
    return new GraphQLObjectType({
      name,
      fields: Object.fromEntries(own.map((route) => [route.operationId, { type: types.envelopeOf(route) }])),
    });
  };
  return new GraphQLSchema({ query: rootType('Query'), mutation: rootType('Mutation') });
}

/** The field of the core that a field of a view shows; undefined for the fields of an envelope. */
export function coreField(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): CoreField | undefined {
  return field.extensions['core'] as CoreField | undefined;
}

/** Whether a type of the view is a view, and no group of fields within one. */
export function isView({ extensions }: GraphQLObjectType): boolean {
  return extensions['isView'] === true;
}

export interface CoreField {
  /** The name of the type that has the field. */
  readonly type: string;
  readonly name: string;
  /** The field of that field's object, where it alone is shown. */
  readonly value: string | undefined;
  /** Where the empty text is shown: for null, or before the items of a list. False may be omitted. */
  readonly empty: 'for null' | 'first' | 'left out' | undefined;
}

class ViewTypes {
  readonly #types = new Map<string, GraphQLObjectType>();

  constructor(
    private readonly core: GraphQLSchema,
    private readonly views: Readonly<Record<string, View>>,
  ) {}

  /** The result of an operation is a success: `messages` is always empty. */
  envelopeOf(route: CompiledOperation): GraphQLObjectType {
    const { type, hasTotal } = route.core;
    const { view = getNamedType(type).name } = route;
    return this.#once(`${view}${hasTotal ? 'List' : ''}Envelope`, (name) => {
      const data = getNullableType(replaceNamed(type, this.#view(view, getNamedType(type))));
      return new GraphQLObjectType({
        name,
        fields: {
          error: { type: new GraphQLNonNull(GraphQLInt) },
          messages: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))) },
          data: { type: new GraphQLNonNull(data) },
          ...(hasTotal && { total: { type: new GraphQLNonNull(GraphQLInt) } }),
        },
      });
    });
  }

  #view(name: string, shown: GraphQLNamedOutputType): GraphQLObjectType {
    const view = this.views[name];
    if (view === undefined) throw new Error(`There is no REST view "${name}"`);
    const { of, fields } = 'of' in view ? view : { of: name, fields: view };
    if (shown.name !== of) throw new Error(`The REST view "${name}" shows ${of}, and is used for ${shown.name}`);
    return this.#once(name, () => this.#object(name, of, fields, { isView: true }));
  }

  #object(name: string, of: string, fields: ViewFields, extensions?: { isView: true }): GraphQLObjectType {
    const type = this.core.getType(of);
    if (!isObjectType(type) && !isInterfaceType(type))
      throw new Error(`The REST view "${name}" shows the type ${of}, which the schema lacks`);
    const shown = fields.flatMap((entry): [string, string | ViewFields | undefined][] =>
      typeof entry === 'string' ? entry.split(' ').map((field) => [field, undefined]) : Object.entries(entry),
    );
    return new GraphQLObjectType({
      name,
      description: type.description,
      fields: Object.fromEntries(shown.map(([field, as]) => this.#field(name, type, field, as))),
      extensions: { ...extensions },
    });
  }

  #field(
    view: string,
    of: GraphQLObjectType | GraphQLInterfaceType,
    name: string,
    as: string | ViewFields | undefined,
  ): [string, GraphQLFieldConfig<unknown, unknown>] {
    const [fieldName = '', value] = name.split('.');
    const fields = of.getFields();
    // REST's `id` is the value that the core calls `databaseId`.
    const coreName = fieldName === 'id' && fields['databaseId'] !== undefined ? 'databaseId' : fieldName;
    const field = fields[coreName];
    const place = `${of.name}.${fieldName}`;
    const named = field && getNamedType(field.type);
    const last = value === undefined ? field : isObjectType(named) ? named.getFields()[value] : undefined;
    if (field === undefined || last === undefined)
      throw new Error(`The REST view "${view}" shows ${of.name}.${name}, which the schema lacks`);
    const shown = getNamedType(last.type);
    if (isLeafType(shown) !== (as === undefined))
      throw new Error(`The REST view "${view}" shows ${place} as ${as ? 'an object' : 'a value'}, which it is not`);
    const restName = REST_NAMES[place] ?? toSnakeCase(fieldName);
    const type =
      as === undefined
        ? shown
        : typeof as === 'string'
          ? this.#view(as, shown)
          : this.#object(`${view}_${restName}`, shown.name, as);
    const core: CoreField = { type: of.name, name: coreName, value, empty: emptyAt(field, place) };
    const description = [
      emptyDescription(field) ?? field.description,
      ...(last === field ? [] : [last.description]),
      ...(core.empty === 'left out' ? ['Only there where it is true.'] : []),
      ...(core.empty === 'first' ? ['The first is the empty text, which stands for none.'] : []),
    ].join(' ');
    const replaced = replaceNamed(field.type, type);
    const shownType = core.empty === 'for null' ? new GraphQLNonNull(getNullableType(replaced)) : replaced;
    const { deprecationReason } = last.deprecationReason ? last : field;
    return [restName, { type: shownType, description, deprecationReason, extensions: { core } }];
  }

  #once(name: string, create: (name: string) => GraphQLObjectType): GraphQLObjectType {
    const type = this.#types.get(name) ?? create(name);
    this.#types.set(name, type);
    return type;
  }
}

function emptyAt(field: GraphQLField<unknown, unknown>, place: string): CoreField['empty'] {
  if (EMPTY_FIRST.has(place)) return 'first';
  if (isWhenTrue(field)) return 'left out';
  return emptyDescription(field) === undefined ? undefined : 'for null';
}

/** The same lists and non-null marks around another type. */
function replaceNamed(type: GraphQLOutputType, named: GraphQLNamedOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(replaceNamed(type.ofType, named));
  if (isListType(type)) return new GraphQLList(replaceNamed(type.ofType, named));
  return named;
}
