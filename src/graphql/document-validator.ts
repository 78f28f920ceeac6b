import {
  getOperationAST,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type GraphQLInputType,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { badUserInput, invalidInput, unauthenticated, type DomainError } from '../errors.js';
import { DOCUMENT_LIMITS, type CostVariables, type DocumentLimits } from './document-limits.js';
import { isStorable, UNSTORABLE } from './json-body.js';
import { variableErrors } from './variables.js';
import { OpenDocuments, type Introspection } from './open-documents.js';

/** What a client asks to have executed. */
export interface Call {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export interface DocumentValidatorOptions {
  introspection: Introspection;
  limits: DocumentLimits;
}

export interface AdmittedCall {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/**
 * What a document has to pass before it is executed, whichever way it came: limits first, because validation itself can be
 * made to work hard. Apollo asks step by step, at the places that it has for it; where Apollo is not, `admit` does all.
 */
export class DocumentValidator {
  private readonly rules: readonly ValidationRule[];
  /** Documents that passed; those of callers without a token apart, so that they push out no others. */
  private readonly documents = new DocumentCache();
  private readonly anonymousDocuments = new DocumentCache({ max: 50, maxTokens: 10_000 });
  private readonly open: OpenDocuments;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly options: DocumentValidatorOptions,
  ) {
    const { introspection } = options;
    this.open = new OpenDocuments(introspection);
    this.rules = introspection === 'off' ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
  }

  /** The operation that is to be executed, or every error that stands against it. */
  admit({ query, operationName, variables }: Call): AdmittedCall | readonly GraphQLError[] {
    const tooLong = this.sourceErrors(query);
    if (tooLong.length > 0) return refusal(badUserInput(tooLong));
    const document = this.known(query) ?? this.validated(query);
    if (!('kind' in document)) return document;
    this.remember(query, document);
    const operation = getOperationAST(document, operationName) ?? undefined;
    const error = this.callError(document, operation, variables ?? {}, 'raw');
    return operation === undefined || error !== undefined ? refusal(error) : { document, operation };
  }

  /**
   * What stands against a document that came without a token: UNAUTHENTICATED when it needs a caller, told before it is
   * validated. Undefined for one that anybody may send; it is known from then on.
   */
  anonymousErrors(source: unknown): readonly GraphQLError[] | undefined {
    if (typeof source !== 'string' || this.open.isTooLong(source)) return NEEDS_TOKEN;
    const known = this.known(source);
    if (known !== undefined) return this.open.has(known) ? undefined : NEEDS_TOKEN;
    if (this.open.beginsClosed(source)) return NEEDS_TOKEN;
    const document = this.validated(source, this.open);
    if (!('kind' in document)) return document;
    this.anonymousDocuments.set(source, document);
    return undefined;
  }

  /** Whether a document that was parsed may be executed for a caller without a token. */
  isOpen(document: DocumentNode): boolean {
    return this.open.has(document);
  }

  sourceErrors(source: string): string[] {
    if (source.length <= DOCUMENT_LIMITS.characters) return [];
    return [`The document exceeds the limit of ${DOCUMENT_LIMITS.characters} characters`];
  }

  documentErrors(document: DocumentNode): string[] {
    return this.options.limits.faultsOf(document);
  }

  /** What is wrong with an operation and its variables; those that were looked through when they were parsed are `checked`. */
  callError(
    document: DocumentNode,
    operation: OperationDefinitionNode | undefined,
    variables: CostVariables = {},
    state: 'checked' | 'raw',
  ): DomainError | undefined {
    if (operation === undefined)
      return badUserInput(['The document has no operation of that name, or several and none was named']);
    if (state === 'raw' && !isStorable(variables)) return badUserInput([UNSTORABLE]);
    if (hasLongList(this.schema, operation, variables))
      return badUserInput([`A list of the variables has more than ${MAX_ITEMS} items`]);
    if (isLarge(variables)) {
      const errors = variableErrors(this.schema, operation, variables);
      if (errors.length > 0) return invalidInput(errors);
    }
    if (this.options.limits.costOf(document, operation, variables) > DOCUMENT_LIMITS.cost)
      return badUserInput([`The operation exceeds the cost limit of ${DOCUMENT_LIMITS.cost}`]);
    return undefined;
  }

  /** A document that was parsed and found valid. */
  known(source: string): DocumentNode | undefined {
    return this.documents.get(source) ?? this.anonymousDocuments.get(source);
  }

  remember(source: string, document: DocumentNode): void {
    this.documents.set(source, document);
  }

  /** With `open`, one that needs a caller is refused as soon as that can be told. */
  private validated(source: string, open?: OpenDocuments): DocumentNode | readonly GraphQLError[] {
    const document = parsed(source);
    if (document instanceof GraphQLError) return [document];
    if (open?.has(document) === false) return NEEDS_TOKEN;
    const faults = this.documentErrors(document);
    if (faults.length > 0) return refusal(badUserInput(faults));
    const { introspection } = this.options;
    const hideSuggestions = introspection === 'off' || (open !== undefined && introspection !== 'open');
    const errors = validate(this.schema, document, this.rules, { maxErrors: 20, hideSuggestions });
    return errors.length > 0 ? errors : document;
  }
}

/** What `anonymousErrors` says of a document that needs a caller. */
export const NEEDS_TOKEN: readonly GraphQLError[] = refusal(unauthenticated());

function parsed(source: string): DocumentNode | GraphQLError {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function refusal(fault: DomainError | undefined): GraphQLError[] {
  return [new GraphQLError('', { originalError: fault })];
}

/**
 * Documents that were parsed and validated, by their text. Compiled operations hang on the document object, so this
 * cache bounds them as well: at most so many documents, and at most so many tokens of them together.
 */
export class DocumentCache {
  private readonly documents: LRUCache<string, DocumentNode>;

  constructor({ max = 1_000, maxTokens = 150_000 } = {}) {
    this.documents = new LRUCache({ max, maxSize: maxTokens, sizeCalculation: weightOf });
  }

  get(source: string): DocumentNode | undefined {
    return this.documents.get(source);
  }

  set(source: string, document: DocumentNode): void {
    this.documents.set(source, document);
  }
}

/** A token of a compiled document takes about a kilobyte, one of a parsed document 300 bytes; long texts count as well. */
function weightOf({ tokenCount = 0 }: DocumentNode & { tokenCount?: number }, source: string): number {
  return 1 + tokenCount + Math.ceil(source.length / CHARACTERS_OF_A_TOKEN);
}

/** Characters that take as much memory as a token. */
const CHARACTERS_OF_A_TOKEN = 200;

/** The longest list that any input takes is the controls of a workflow; refusing one may wait for its rule. */
export const MAX_ITEMS = 2_500;

/** Whether a list of the variables is so long that telling what is wrong with each item would take seconds. */
export function hasLongList(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return variableDefinitions.some(({ variable, type: node }) => {
    const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
    return type !== undefined && isInputType(type) && isLong(type, variables?.[variable.name.value]);
  });
}

function isLong(type: GraphQLInputType, value: unknown): boolean {
  const bare = getNullableType(type);
  if (typeof value !== 'object' || value === null) return false;
  if (isListType(bare)) {
    if (!Array.isArray(value)) return isLong(bare.ofType as GraphQLInputType, value);
    return value.length > MAX_ITEMS || value.some((item) => isLong(bare.ofType as GraphQLInputType, item));
  }
  if (!isInputObjectType(bare)) return false;
  return Object.values(bare.getFields()).some(
    ({ name, type: inner }) => Object.hasOwn(value, name) && isLong(inner, (value as Record<string, unknown>)[name]),
  );
}

/** Values and characters beyond which variables count as large. */
const VALUES = 200;
const CHARACTERS = 10_000;

/**
 * Whether variables are so large that graphql-js must not be the first to refuse them: it writes a wrong object out whole,
 * in each of up to 50 errors. Stops counting as soon as that is known; files are not looked into.
 */
export function isLarge(variables: object): boolean {
  const open: object[] = [variables];
  let values = 0;
  let characters = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!isJson(value)) continue;
    for (const key in value) {
      const item = (value as Record<string, unknown>)[key];
      values += 1;
      characters += key.length + (typeof item === 'string' ? item.length : 0);
      if (values > VALUES || characters > CHARACTERS) return true;
      if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return false;
}

function isJson(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
