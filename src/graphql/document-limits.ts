import { Kind, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { literalErrors, repeatedFields } from './document-checks.js';
import { type CostVariables, DocumentWalk, type Size, sizeIn } from './document-walk.js';
import { introspectionSizes } from './introspection-sizes.js';

/** Limits of one operation. The README and docs/limits.md have the same figures. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Characters of a document. */
  characters: 100_000,
  /** Tokens of a document; counted by the parser, before anything is built. */
  tokens: 4_000,
  /** Operations and fragments that one document may define. */
  operations: 50,
  fragments: 100,
  /** Levels of fields, and the same where they describe the schema: types of arguments lie deep in it. */
  depth: 15,
  introspectionDepth: 20,
  /** Aliased fields, fragments counted as often as they are spread. */
  aliases: 50,
  /** Repeated fields of one selection: validation compares each of them with each other. */
  repeatedFields: 50,
  /** Fields below Query or Mutation, fragments counted as often as they are spread. */
  rootFields: 20,
  /** Directives on fields and fragments. */
  directives: 50,
  /** Maximum number of fields of an answer; those of a list are multiplied by its page size. */
  cost: 30_000,
  /** Characters of texts, names and numbers in one answer. */
  answerCharacters: 10_000_000,
  /** Limits of callers without a token: bytes of the body, characters and tokens of the document. */
  anonymous: Object.freeze({ bodyBytes: 16 * 1024, characters: 4_000, tokens: 400 }),
});

/** Cost of one point. */
const COST_PER_POINT = 100;

/** The points that a cost takes, through either API. */
export function pointsOf(cost: number): number {
  return Math.max(1, Math.ceil(cost / COST_PER_POINT));
}

/** The cost of an operation, and its searches. */
export interface Weight {
  cost: number;
  /** Fields that count as searches, of whatever list, as their resolvers declare with `@Extensions({ searches })`. */
  searches: number;
}

interface Weights {
  sizes: readonly Size[];
  byValues: Map<string, Weight>;
}

/** Combinations of sizes of one operation, and sizes in a combination; clients use a handful. */
const MAX_REMEMBERED = 16;
const MAX_SIZES = 10;

/**
 * Measures a document that was parsed and not yet validated: limits act first, because validation itself can be made
 * to work hard. Each fragment is measured once, however often it is spread, so that the measuring cannot be made to
 * work hard either.
 */
export class DocumentLimits {
  /** Those of operations by the sizes that came in variables. */
  private readonly weights = new WeakMap<OperationDefinitionNode, Weights>();
  private readonly introspection: ReadonlyMap<string, number>;

  constructor(
    private readonly schema: GraphQLSchema,
    /** Cost of a field that declares none. */
    private readonly plainCost: 0 | 1 = 1,
  ) {
    this.introspection = introspectionSizes(schema);
  }

  /** One sentence per limit that the document exceeds. Sizes of pages that come in variables count as the largest. */
  errorsOf(document: DocumentNode): string[] {
    const errors = new Set<string>();
    const check = (what: string, is: number, limit: number) => {
      if (is > limit) errors.add(`The document exceeds the limit of ${limit} ${what}`);
    };
    const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    check('operations', operations.length, DOCUMENT_LIMITS.operations);
    check('fragments', fragments.length, DOCUMENT_LIMITS.fragments);
    if (errors.size > 0) return [...errors];
    for (const error of literalErrors(document)) errors.add(error);
    const walk = this.walk(document, undefined);
    const ofOperations = operations.map((operation) => walk.operation(operation));
    const measures = [
      ...ofOperations,
      // Validation works on those that are spread nowhere as well.
      ...fragments.filter(({ name }) => !walk.reached.has(name.value)).map(({ name }) => walk.fragment(name.value)),
    ];
    for (const { depth, introspectionDepth, aliases, directives } of measures) {
      check('levels', depth, DOCUMENT_LIMITS.depth);
      check('levels', introspectionDepth, DOCUMENT_LIMITS.introspectionDepth);
      check('aliases', aliases, DOCUMENT_LIMITS.aliases);
      check('directives', directives, DOCUMENT_LIMITS.directives);
    }
    for (const { selectionSet } of operations)
      check('root fields', walk.rootFields(selectionSet), DOCUMENT_LIMITS.rootFields);
    const repeated = [...operations, ...fragments].reduce((sum, each) => sum + repeatedFields(each.selectionSet), 0);
    check('repeated fields', repeated, DOCUMENT_LIMITS.repeatedFields);
    for (const name of walk.circular) errors.add(`The fragment "${name}" must not be spread within itself`);
    return [...errors];
  }

  /** The cost of an operation with the variables it is called with; `DOCUMENT_LIMITS.cost` is the most that is executed. */
  costOf(document: DocumentNode, operation: OperationDefinitionNode, variables: CostVariables): number {
    return this.weightOf(document, operation, variables).cost;
  }

  weightOf(document: DocumentNode, operation: OperationDefinitionNode, variables: CostVariables): Weight {
    const known = this.weights.get(operation);
    const weight = known?.byValues.get(keyOf(known.sizes, variables));
    return weight ?? this.measure(document, operation, variables, known);
  }

  private measure(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: CostVariables,
    known: Weights | undefined,
  ): Weight {
    const walk = this.walk(document, variables);
    const { cost, searches } = walk.operation(operation);
    const weight = { cost: Math.ceil(cost), searches };
    const sizes = [...walk.sizes.values()];
    const { byValues } = known ?? { byValues: new Map<string, Weight>() };
    if (byValues.size < MAX_REMEMBERED && sizes.length <= MAX_SIZES) byValues.set(keyOf(sizes, variables), weight);
    if (known === undefined) this.weights.set(operation, { sizes, byValues });
    return weight;
  }

  private walk(document: DocumentNode, variables: CostVariables | undefined): DocumentWalk {
    return new DocumentWalk(this.schema, this.introspection, { document, variables, plainCost: this.plainCost });
  }
}

/** Short whatever was sent: sizes are limited to the largest that count. */
function keyOf(sizes: readonly Size[], variables: CostVariables): string {
  return sizes.map((size) => sizeIn(variables, size)).join();
}
