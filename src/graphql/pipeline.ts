import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import type { Charge, RateMeter } from '../auth/rate-limits.js';
import type { Caller } from '../auth/caller.js';
import type { GraphQLContext } from '../http/context.js';
import { badUserInput, documentsOnly, unauthenticated, type DomainError } from '../errors.js';
import { fieldsIn } from './as-of.js';
import { Deprecations } from './deprecations.js';
import { DocumentCache } from './document-cache.js';
import { DOCUMENT_LIMITS, DocumentLimits, pointsOf } from './document-limits.js';
import { refusal } from './errors.js';
import type { GraphQLExecutor, Stream, Variables } from './executor.js';
import type { Registered, RegisteredDocument } from './named-documents.js';
import { OpenDocuments, type Introspection } from './open-documents.js';
import { conditionsOfSubscriptions, noIntrospection } from './validation-rules.js';
import { largeVariableErrors, undeclaredVariables } from './variables.js';

/** An operation as a client sends it. */
export interface Call {
  query: string;
  operationName?: string | null | undefined;
  variables?: Variables | null | undefined;
}

/** An operation that may be executed. */
export interface AdmittedCall {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Variables;
}

/**
 * Steps of every GraphQL operation, whichever transport it came by: `admit`, then `charge`, then `execute` or
 * `subscribe`. Limits come before validation, which itself can be made to work hard.
 */
export class OperationPipeline {
  /** Documents that passed; those of callers without a token apart, so that they push out no others. */
  private readonly documents = new DocumentCache();
  private readonly anonymousDocuments = new DocumentCache({ max: 50, maxTokens: 10_000 });
  /** Registered documents that passed: cached while they are registered. */
  private readonly prepared = new WeakMap<RegisteredDocument, DocumentNode>();
  private readonly open: OpenDocuments;
  private readonly limits: DocumentLimits;
  private readonly rules: readonly ValidationRule[];
  private readonly deprecations: Deprecations;
  private readonly roots = new WeakMap<OperationDefinitionNode, RootFields>();

  constructor(
    private readonly executor: GraphQLExecutor,
    private readonly introspection: Introspection,
    private readonly registered: Registered,
  ) {
    this.open = new OpenDocuments(introspection);
    this.limits = new DocumentLimits(executor.schema);
    this.deprecations = new Deprecations(executor.schema);
    this.rules = introspection === 'off' ? [...specifiedRules, noIntrospection] : specifiedRules;
  }

  /** A document that a user may send, or every error of it. */
  check(query: string): DocumentNode | readonly GraphQLError[] {
    if (query.length > DOCUMENT_LIMITS.characters) return refusal(badUserInput([TOO_LONG]));
    return this.newDocument(query, 'user');
  }

  /** The errors of a document without a token; undefined for one that needs none. */
  anonymousErrors(query: unknown): readonly GraphQLError[] | undefined {
    const document = this.anonymousDocument(query);
    return 'kind' in document ? undefined : document;
  }

  /** The operation that is to be executed, or every error of the request. */
  admit(
    { query, operationName, variables }: Call,
    { caller }: Pick<GraphQLContext, 'caller'>,
  ): AdmittedCall | readonly GraphQLError[] {
    const document = caller.kind === 'anonymous' ? this.anonymousDocument(query) : this.userDocument(query, caller);
    return 'kind' in document ? this.admitDocument(document, operationName, variables) : document;
  }

  /** The same of a document that was validated before: its variables and their cost are looked at. */
  admitDocument(
    document: DocumentNode,
    operationName: Call['operationName'],
    variables: Call['variables'],
  ): AdmittedCall | readonly GraphQLError[] {
    const operation = getOperationAST(document, operationName);
    if (!operation) return refusal(badUserInput([operationName ? NO_SUCH_OPERATION : WHICH_OPERATION]));
    const call = { document, operation, variables: variables ?? {} };
    const error = this.variablesError(call);
    return error === undefined ? call : refusal(error);
  }

  /**
   * Counts an operation for its caller: a point for each 100 of its cost, each field of a mutation as a write, each search and each
   * verification of an audit trail as a search. Throws RATE_LIMITED, and counts nothing then, unless there is no place for one more search.
   */
  charge({ document, operation, variables }: AdmittedCall, meter: RateMeter): void {
    let roots = this.roots.get(operation);
    if (roots === undefined) this.roots.set(operation, (roots = rootFieldsOf(document, operation)));
    const { count, isFree } = roots;
    const { cost, searches } = this.limits.weightOf(document, operation, variables);
    meter.points = isFree ? 0 : pointsOf(cost);
    const charges: Charge[] = [['graphql', meter.points]];
    if (operation.operation === OperationTypeNode.MUTATION) charges.push(['writes', count]);
    if (searches > 0) charges.push(['searches', searches]);
    meter.charge(...charges);
    // A subscription would have its place for as long as its connection.
    if (searches > 0 && operation.operation !== OperationTypeNode.SUBSCRIPTION) meter.enter('searches');
  }

  /** Runs a query or a mutation. */
  async execute(call: AdmittedCall, context: GraphQLContext): Promise<ExecutionResult> {
    const result = withinSize(await this.executor.execute({ ...requestOf(call), context }));
    const extensions = this.extensionsOf(call);
    return extensions === undefined || result.data === undefined ? result : { ...result, extensions };
  }

  /** `extensions` of every answer of the operation; undefined for one that uses nothing deprecated. */
  extensionsOf({ document, operation, variables }: AdmittedCall): ExecutionResult['extensions'] {
    const deprecations = this.deprecations.usedBy(document, operation, variables);
    return deprecations && { deprecations };
  }

  /** Begins a subscription: a stream of results, or one result with the reason why there is none. */
  subscribe(call: AdmittedCall, context: GraphQLContext): Promise<ExecutionResult | Stream> {
    return this.executor.subscribe({ ...requestOf(call), context });
  }

  private userDocument(query: string, caller: Caller): DocumentNode | readonly GraphQLError[] {
    const registered = this.registered.withText(query);
    if (registered !== undefined) return this.registeredDocument(registered, 'user');
    if (caller.kind === 'user' && caller.documentsOnly) return refusal(documentsOnly());
    const known = this.documents.get(query);
    if (known !== undefined) return known;
    return remembered(this.documents, query, this.check(query));
  }

  /** Prepared once, and never pushed out by others: there are as many as the operator has published. */
  private registeredDocument(registered: RegisteredDocument, sender: Sender): DocumentNode | readonly GraphQLError[] {
    const known = this.prepared.get(registered);
    return known ?? remembered(this.prepared, registered, this.newDocument(registered.text, sender));
  }

  /** Refused as early as the text shows that it needs a token: before it is parsed, or before it is validated. */
  private anonymousDocument(query: unknown): DocumentNode | readonly GraphQLError[] {
    const registered = typeof query === 'string' ? this.registered.withText(query) : undefined;
    if (registered !== undefined) {
      const document = this.registeredDocument(registered, 'anonymous');
      return 'kind' in document && !this.open.has(document) ? NEEDS_TOKEN : document;
    }
    if (typeof query !== 'string' || this.open.isTooLong(query)) return NEEDS_TOKEN;
    const known = this.documents.get(query) ?? this.anonymousDocuments.get(query);
    if (known !== undefined) return this.open.has(known) ? known : NEEDS_TOKEN;
    if (this.open.beginsClosed(query)) return NEEDS_TOKEN;
    return remembered(this.anonymousDocuments, query, this.newDocument(query, 'anonymous'));
  }

  private newDocument(query: string, sender: Sender): DocumentNode | readonly GraphQLError[] {
    const document = parsed(query);
    if (!('kind' in document)) return document;
    if (sender === 'anonymous' && !this.open.has(document)) return NEEDS_TOKEN;
    const errors = this.documentErrors(document, sender);
    return errors.length > 0 ? errors : document;
  }

  private documentErrors(document: DocumentNode, sender: Sender): readonly GraphQLError[] {
    const exceeded = this.limits.errorsOf(document);
    if (exceeded.length > 0) return refusal(badUserInput(exceeded));
    const conditions = withoutStacks(() => conditionsOfSubscriptions(document));
    if (conditions.length > 0) return conditions;
    const { introspection } = this;
    const hideSuggestions = introspection === 'off' || (sender === 'anonymous' && introspection !== 'open');
    return withoutStacks(() =>
      validate(this.executor.schema, document, this.rules, { maxErrors: 20, hideSuggestions }),
    );
  }

  private variablesError(call: AdmittedCall): DomainError | undefined {
    const { document, operation, variables } = call;
    const error =
      undeclaredVariables(document, variables) ?? largeVariableErrors(this.executor.schema, operation, variables);
    if (error !== undefined) return error;
    const isTooCostly = this.limits.costOf(document, operation, variables) > DOCUMENT_LIMITS.cost;
    return isTooCostly ? badUserInput([TOO_COSTLY]) : undefined;
  }
}

type Sender = 'user' | 'anonymous';

/** The same; a document is remembered, errors are not. */
function remembered<Key>(
  documents: { set(key: Key, document: DocumentNode): unknown },
  key: Key,
  made: DocumentNode | readonly GraphQLError[],
): DocumentNode | readonly GraphQLError[] {
  if ('kind' in made) documents.set(key, made);
  return made;
}

const TOO_LONG = `The document exceeds the limit of ${DOCUMENT_LIMITS.characters} characters`;
const NO_SUCH_OPERATION = 'The document has no operation with the name in operationName';
const WHICH_OPERATION = 'The document must have one operation; of several, operationName has to name one';
const TOO_COSTLY = `The operation exceeds the cost limit of ${DOCUMENT_LIMITS.cost}: ask for fewer fields or smaller pages`;

/** Of a document that needs a caller; the same object each time. */
export const NEEDS_TOKEN: readonly GraphQLError[] = refusal(unauthenticated());

function requestOf({ document, operation, variables }: AdmittedCall) {
  return { document, operationName: operation.name?.value ?? null, variables };
}

function parsed(query: string): DocumentNode | readonly GraphQLError[] {
  try {
    return withoutStacks(() => parse(query, { maxTokens: DOCUMENT_LIMITS.tokens }));
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    // The parser calls itself for each level: thousands of them exceed the stack before the tokens are counted.
    return refusal(badUserInput(['The document is not valid GraphQL']));
  }
}

/** Errors of a document are expected and no log shows their stacks, which cost more than parsing a small document. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The selection of an operation at its root, whatever its variables are. */
interface RootFields {
  count: number;
  /** Nothing but `rateLimit` and `__typename`. */
  isFree: boolean;
}

function rootFieldsOf(document: DocumentNode, { selectionSet }: OperationDefinitionNode): RootFields {
  // Each as often as it is selected.
  const names = fieldsIn(document, selectionSet).map(({ name }) => name.value);
  return {
    count: names.length,
    isFree: names.includes('rateLimit') && names.every((name) => name === 'rateLimit' || name === '__typename'),
  };
}

/**
 * The result itself, or a refusal in its place when its data is larger than one answer may be. Counted before the text
 * is made, so that a text of any size never is.
 */
export function withinSize(result: ExecutionResult): ExecutionResult {
  if (result.data == null || charactersLeft(result.data, DOCUMENT_LIMITS.answerCharacters) >= 0) return result;
  return { errors: refusal(badUserInput([TOO_LARGE])) };
}

const TOO_LARGE = `The answer exceeds the limit of ${DOCUMENT_LIMITS.answerCharacters} characters; ask for fewer fields or smaller pages`;

/** The rest of `allowed` characters after the value; negative, without looking at all of it, when it is larger. */
function charactersLeft(value: unknown, allowed: number): number {
  if (typeof value === 'string') return allowed - value.length - 2;
  if (typeof value !== 'object' || value === null) return allowed - 5;
  let left = allowed;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = charactersLeft(item, left - 1);
      if (left < 0) break;
    }
    return left;
  }
  for (const key in value) {
    left = charactersLeft((value as Record<string, unknown>)[key], left - key.length - 4);
    if (left < 0) break;
  }
  return left;
}
