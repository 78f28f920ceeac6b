import {
  BREAK,
  visit,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
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
import { LIMITS } from '../vocabulary/limits.js';

/** What one operation may ask for. The README has the same figures. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Characters of a document. */
  characters: 100_000,
  /** Tokens of a document; told by the parser, before anything is built. */
  tokens: 4_000,
  /** Levels of fields; introspection's own fields are not counted. */
  depth: 15,
  /** Aliased fields, fragments counted as often as they are spread. */
  aliases: 50,
  /** Fields below Query or Mutation, fragments counted as often as they are spread. */
  rootFields: 20,
  /** Directives on fields and fragments. */
  directives: 50,
  /** Fields that an answer may hold at most; a list counts as often as the page it asks for. */
  cost: 30_000,
});

/** How often the fields of a plain list are counted: such lists are bounded by what they show, not by an argument. */
const PLAIN_LIST = 20;
/** Above any limit, and far from where numbers lose precision. */
const CEILING = 1e9;

interface Measure {
  depth: number;
  aliases: number;
  directives: number;
  cost: number;
}

interface Costs {
  /** Variables that are sizes of pages. */
  sizes: readonly string[];
  byValues: Map<string, number>;
}

/** Combinations of page sizes of one operation; clients use a handful. */
const MAX_REMEMBERED = 50;

export type CostVariables = Readonly<Record<string, unknown>>;

/**
 * Measures a document that was parsed and not yet validated: limits act first, because validation itself can be made
 * to work hard. Each fragment is measured once, however often it is spread, so that the measuring cannot be made to
 * work hard either; circles are left to validation, which refuses them.
 */
export class DocumentLimits {
  /** Costs of operations by the page sizes that came in variables. */
  private readonly costs = new WeakMap<OperationDefinitionNode, Costs>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** One sentence per limit that the document exceeds. Sizes of pages that come in variables count as the largest. */
  faultsOf(document: DocumentNode): string[] {
    const faults = new Set<string>();
    if (hasNul(document)) faults.add('Texts must not contain NUL characters or halves of surrogate pairs');
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const walk = new Walk(this.schema, document, undefined);
      const measure = walk.operation(definition);
      const told = (what: string, is: number, limit: number) => {
        if (is > limit) faults.add(`The document exceeds the limit of ${limit} ${what}`);
      };
      told('levels', measure.depth, DOCUMENT_LIMITS.depth);
      told('aliases', measure.aliases, DOCUMENT_LIMITS.aliases);
      told('directives', measure.directives, DOCUMENT_LIMITS.directives);
      told('root fields', walk.rootFields(definition.selectionSet), DOCUMENT_LIMITS.rootFields);
    }
    return [...faults];
  }

  /** The cost of an operation with the variables it is called with. */
  costOf(document: DocumentNode, operation: OperationDefinitionNode, variables: CostVariables): number {
    const known = this.costs.get(operation);
    const key = known?.sizes.map((name) => String(variables[name])).join();
    const cost = key === undefined ? undefined : known?.byValues.get(key);
    return cost ?? this.measure(document, operation, variables, known);
  }

  private measure(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: CostVariables,
    known: Costs | undefined,
  ): number {
    const walk = new Walk(this.schema, document, variables);
    const { cost } = walk.operation(operation);
    const sizes = [...walk.sizes];
    const { byValues } = known ?? { byValues: new Map<string, number>() };
    if (byValues.size < MAX_REMEMBERED) byValues.set(sizes.map((name) => String(variables[name])).join(), cost);
    if (known === undefined) this.costs.set(operation, { sizes, byValues });
    return cost;
  }
}

/** The escape for it is valid GraphQL; no database can store it. */
function hasNul(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    StringValue({ value }) {
      if (!value.includes('\0')) return undefined;
      found = true;
      return BREAK;
    },
  });
  return found;
}

class Walk {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly measured = new Map<string, Measure>();
  private readonly open = new Set<string>();
  /** Variables that sizes of pages came from. */
  readonly sizes = new Set<string>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: CostVariables | undefined,
  ) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
  }

  operation(operation: OperationDefinitionNode): Measure {
    return this.set(operation.selectionSet, this.schema.getRootType(operation.operation) ?? undefined, 1);
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

  /** `times` is how often the children of a connection's `nodes` and `edges` are counted. */
  private set(set: SelectionSetNode, parent: GraphQLNamedType | undefined, times: number): Measure {
    const sum: Measure = { depth: 0, aliases: 0, directives: 0, cost: 0 };
    for (const node of set.selections) {
      const part =
        node.kind === Kind.FIELD
          ? this.field(node, parent, times)
          : node.kind === Kind.INLINE_FRAGMENT
            ? this.set(node.selectionSet, this.typeOf(node.typeCondition?.name.value) ?? parent, times)
            : this.fragment(node.name.value, times);
      sum.depth = Math.max(sum.depth, part.depth);
      sum.aliases = Math.min(sum.aliases + part.aliases, CEILING);
      sum.directives = Math.min(sum.directives + part.directives + (node.directives?.length ?? 0), CEILING);
      sum.cost = Math.min(sum.cost + part.cost, CEILING);
    }
    return sum;
  }

  private field(node: FieldNode, parent: GraphQLNamedType | undefined, times: number): Measure {
    const own: Measure = { depth: 1, aliases: node.alias ? 1 : 0, directives: 0, cost: 1 };
    if (!node.selectionSet || node.name.value.startsWith('__')) return own;
    const definition = fieldOf(parent, node.name.value);
    const type = definition && getNamedType(definition.type);
    const page = type?.name.endsWith('Connection') ? this.pageSize(node) : 1;
    const below = this.set(node.selectionSet, isCompositeType(type) ? type : undefined, page);
    const factor = isConnectionList(parent, node) ? times : isPlainList(definition) ? PLAIN_LIST : 1;
    return {
      depth: below.depth + 1,
      aliases: Math.min(own.aliases + below.aliases, CEILING),
      directives: below.directives,
      cost: Math.min(own.cost + below.cost * factor, CEILING),
    };
  }

  private fragment(name: string, times: number): Measure {
    const nothing: Measure = { depth: 0, aliases: 0, directives: 0, cost: 0 };
    const fragment = this.fragments.get(name);
    if (fragment === undefined || this.open.has(name)) return nothing;
    const key = `${name} ${times}`;
    let measure = this.measured.get(key);
    if (measure === undefined) {
      this.open.add(name);
      measure = this.set(fragment.selectionSet, this.typeOf(fragment.typeCondition.name.value), times);
      this.open.delete(name);
      this.measured.set(key, measure);
    }
    return measure;
  }

  private pageSize(node: FieldNode): number {
    const sizes = (node.arguments ?? [])
      .filter(({ name }) => name.value === 'first' || name.value === 'last')
      .map(({ value }) => this.number(value));
    const size = sizes.length === 0 ? LIMITS.page.defaultSize : Math.max(...sizes);
    return Math.min(Math.max(size, 1), LIMITS.page.maxSize);
  }

  private number(value: ValueNode): number {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind !== Kind.VARIABLE || this.variables === undefined) return LIMITS.page.maxSize;
    this.sizes.add(value.name.value);
    const given = this.variables[value.name.value];
    return typeof given === 'number' && Number.isFinite(given) ? given : LIMITS.page.maxSize;
  }

  private typeOf(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

function fieldOf(parent: GraphQLNamedType | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

function isConnectionList(parent: GraphQLNamedType | undefined, node: FieldNode): boolean {
  return (parent?.name.endsWith('Connection') ?? false) && (node.name.value === 'nodes' || node.name.value === 'edges');
}

function isPlainList(definition: GraphQLField<unknown, unknown> | undefined): boolean {
  return definition !== undefined && isListType(getNullableType(definition.type));
}
