import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { LIMITS } from '../values/limits.js';

/** Multiplier for the fields of a plain list: such lists are bounded by their content, not by an argument. */
const PLAIN_LIST = 20;
/** A field that describes the schema reads no database. */
const INTROSPECTION_COST = 0.4;
/** Above any limit, and far from where numbers lose precision. */
const CEILING = 1e9;

interface Measure {
  depth: number;
  /** Introspection, which counts in no other. */
  introspectionDepth: number;
  aliases: number;
  directives: number;
  cost: number;
  searches: number;
}

const NOTHING: Measure = { depth: 0, introspectionDepth: 0, aliases: 0, directives: 0, cost: 0, searches: 0 };

export type CostVariables = Readonly<Record<string, unknown>>;

/** A size that comes in a variable: of a page, or of a list whose items are named in it. */
export interface Size {
  /** The variable, and the fields within it. */
  path: readonly string[];
  largest: number;
  isList: boolean;
}

export function sizeIn(variables: CostVariables, { path: [name = '', ...fields], largest, isList }: Size): number {
  // One that is absent may have a default, which only the execution fills in.
  if (variables[name] === undefined) return largest;
  const value = fields.reduce<unknown>((at, field) => (at as CostVariables | null)?.[field], variables[name]);
  return clamped(isList ? lengthOf(value) : value, largest);
}

/** A value that is no list counts as a list of one. */
function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return value == null ? 0 : 1;
}

/** The size that counts: the largest one when it is no number. */
function clamped(size: unknown, largest: number): number {
  if (typeof size !== 'number' || Number.isNaN(size)) return largest;
  return Math.min(Math.max(size, 1), largest);
}

interface Walked {
  document: DocumentNode;
  variables: CostVariables | undefined;
  plainCost: 0 | 1;
}

/** Walks the selections of a document, and measures each fragment once. */
export class DocumentWalk {
  private readonly variables: CostVariables | undefined;
  private readonly plainCost: 0 | 1;
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly measured = new Map<string, Measure>();
  private readonly open = new Set<string>();
  /** Names of fragments that were measured. */
  readonly reached = new Set<string>();
  /** Names of fragments that are spread within themselves. */
  readonly circular = new Set<string>();
  /** Sizes that came from variables, each once. */
  readonly sizes = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly introspection: ReadonlyMap<string, number>,
    { document, variables, plainCost }: Walked,
  ) {
    this.variables = variables;
    this.plainCost = plainCost;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
  }

  operation(operation: OperationDefinitionNode): Measure {
    return this.set(operation.selectionSet, this.schema.getRootType(operation.operation) ?? undefined);
  }

  rootFields(set: SelectionSetNode, seen = new Map<string, number>()): number {
    return set.selections.reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + 1;
      if (node.kind === Kind.INLINE_FRAGMENT) return sum + this.rootFields(node.selectionSet, seen);
      const name = node.name.value;
      if (!seen.has(name)) {
        // Zero while it is being counted: a circle adds nothing and ends here.
        seen.set(name, 0);
        const fragment = this.fragments.get(name);
        seen.set(name, fragment ? this.rootFields(fragment.selectionSet, seen) : 0);
      }
      return Math.min(sum + (seen.get(name) ?? 0), CEILING);
    }, 0);
  }

  /** `times` multiplies fields below the lists of a connection, or of a payload whose input names their items. */
  private set(set: SelectionSetNode, parent: GraphQLNamedType | undefined, times?: number): Measure {
    const sum = { ...NOTHING };
    for (const node of set.selections) {
      const part =
        node.kind === Kind.FIELD
          ? this.field(node, parent, times)
          : node.kind === Kind.INLINE_FRAGMENT
            ? this.set(node.selectionSet, this.typeOf(node.typeCondition?.name.value) ?? parent, times)
            : this.fragment(node.name.value, times);
      sum.depth = Math.max(sum.depth, part.depth);
      sum.introspectionDepth = Math.max(sum.introspectionDepth, part.introspectionDepth);
      sum.aliases = Math.min(sum.aliases + part.aliases, CEILING);
      sum.directives = Math.min(sum.directives + part.directives + (node.directives?.length ?? 0), CEILING);
      sum.cost = Math.min(sum.cost + part.cost, CEILING);
      sum.searches = Math.min(sum.searches + part.searches, CEILING);
    }
    return sum;
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined, times: number | undefined): Measure {
    const definition = fieldOf(parent, node.name.value);
    const searches = (definition?.extensions['searches'] as number | undefined) ?? 0;
    const cost = this.ownCost(node, definition, parent);
    const own = { ...NOTHING, depth: 1, aliases: node.alias ? 1 : 0, cost, searches };
    if (!node.selectionSet) return own;
    const type = definition && getNamedType(definition.type);
    const named = this.namedItems(node, definition);
    const page = type?.name.endsWith('Connection') ? this.pageSize(node, definition) : undefined;
    const below = this.set(
      node.selectionSet,
      isCompositeType(type) ? type : undefined,
      isPlainList(definition) ? undefined : (page ?? named),
    );
    const factor = this.factor(node, definition, parent, named ?? times);
    return {
      ...levelsOf(node, below),
      aliases: Math.min(own.aliases + below.aliases, CEILING),
      directives: below.directives,
      cost: Math.min(own.cost + below.cost * factor, CEILING),
      searches: Math.min(own.searches + below.searches * factor, CEILING),
    };
  }

  /** Cost of a field itself, unless its resolver declares it with `@Extensions({ cost })`. */
  private ownCost(
    { name: { value: name } }: FieldNode,
    definition: GraphQLField<unknown, unknown> | undefined,
    parent: GraphQLNamedType | undefined,
  ): number {
    if (name === '__typename') return 0;
    if (isMetaField(name) || parent?.name.startsWith('__')) return INTROSPECTION_COST;
    return (definition?.extensions['cost'] as number | undefined) ?? this.plainCost;
  }

  /** How often the fields below are counted. */
  private factor(
    node: FieldNode,
    definition: GraphQLField<unknown, unknown> | undefined,
    parent: GraphQLNamedType | undefined,
    times: number | undefined,
  ): number {
    const name = node.name.value;
    const size = this.introspection.get(isMetaField(name) ? name : `${parent?.name}.${name}`);
    if (size !== undefined) return size;
    if (isConnectionList(parent, node)) return times ?? 1;
    if (!isPlainList(definition)) return 1;
    return times ?? (definition?.extensions['items'] as number | undefined) ?? PLAIN_LIST;
  }

  fragment(name: string, times?: number): Measure {
    const fragment = this.fragments.get(name);
    if (this.open.has(name)) this.circular.add(name);
    if (fragment === undefined || this.open.has(name)) return { ...NOTHING };
    const key = `${name} ${times}`;
    let measure = this.measured.get(key);
    if (measure === undefined) {
      this.reached.add(name);
      this.open.add(name);
      measure = this.set(fragment.selectionSet, this.typeOf(fragment.typeCondition.name.value), times);
      this.open.delete(name);
      this.measured.set(key, measure);
    }
    return measure;
  }

  /** A list whose pages may be larger than those of others declares how many items they have at most. */
  private pageSize(node: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): number {
    const largest = (definition?.extensions['items'] as number | undefined) ?? LIMITS.page.maxSize;
    const sizes = (node.arguments ?? [])
      .filter(({ name }) => name.value === 'first' || name.value === 'last')
      .map(({ value }) => this.number(value, largest));
    return sizes.length === 0 ? LIMITS.page.defaultSize : Math.max(...sizes);
  }

  private number(value: ValueNode, largest: number): number {
    if (value.kind === Kind.INT) return clamped(Number(value.value), largest);
    if (value.kind !== Kind.VARIABLE) return largest;
    return this.inVariable({ path: [value.name.value], largest, isList: false });
  }

  /**
   * How many items the arguments of a field name, where its answer has as many: it declares the lists, of which one is given, as
   * paths (`input.updates`), and how many `items` they have at most.
   */
  private namedItems(node: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): number | undefined {
    const { itemsOf, items } = (definition?.extensions ?? {}) as { itemsOf?: readonly string[]; items?: number };
    if (itemsOf === undefined || items === undefined) return undefined;
    return Math.max(...itemsOf.map((path) => this.length(node, path.split('.'), items)));
  }

  private length(node: FieldNode, [argument, ...fields]: readonly string[], largest: number): number {
    let value = node.arguments?.find(({ name }) => name.value === argument)?.value;
    for (const [index, field] of fields.entries()) {
      if (value?.kind === Kind.VARIABLE)
        return this.inVariable({ path: [value.name.value, ...fields.slice(index)], largest, isList: true });
      value = value?.kind === Kind.OBJECT ? value.fields.find(({ name }) => name.value === field)?.value : undefined;
    }
    if (value?.kind === Kind.VARIABLE) return this.inVariable({ path: [value.name.value], largest, isList: true });
    return value?.kind === Kind.LIST ? clamped(value.values.length, largest) : 1;
  }

  private inVariable(size: Size): number {
    if (this.variables === undefined) return size.largest;
    this.sizes.set(JSON.stringify(size), size);
    return sizeIn(this.variables, size);
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

/** Whether a root field describes the schema: GraphQL's own, and that of a subgraph. */
export function isMetaField(name: string): boolean {
  return name === SchemaMetaFieldDef.name || name === TypeMetaFieldDef.name || name === '_service';
}

/** Depth of a field with its selection. */
function levelsOf({ name }: FieldNode, { depth, introspectionDepth }: Measure) {
  if (isMetaField(name.value)) return { depth: 1, introspectionDepth: Math.max(depth, introspectionDepth) + 1 };
  return { depth: depth + 1, introspectionDepth: introspectionDepth > 0 ? introspectionDepth + 1 : 0 };
}

function fieldOf(parent: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

function isConnectionList(parent: GraphQLNamedType | undefined, node: FieldNode): boolean {
  return (parent?.name.endsWith('Connection') ?? false) && (node.name.value === 'nodes' || node.name.value === 'edges');
}

function isPlainList(definition: GraphQLField<unknown, unknown> | undefined): boolean {
  return definition !== undefined && isListType(getNullableType(definition.type));
}
