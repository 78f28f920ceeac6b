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
} from 'graphql';
import { DOCUMENT_LIMITS, type CostVariables, type DocumentLimits } from '../engine/document-limits.js';
import { hasLongList, MAX_ITEMS } from '../engine/list-lengths.js';
import { isLarge } from '../engine/variable-size.js';
import { badUserInput, unauthenticated, type DomainError } from '../errors.js';
import { DocumentCache } from './document-cache.js';
import { isStorable, UNSTORABLE } from './json-body.js';
import { OpenDocuments, type Introspection } from './open-documents.js';

/** What a client asks to have executed. */
export interface Call {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export interface AdmissionOptions {
  introspection: Introspection;
  limits: DocumentLimits;
  /** What is wrong with the variables of an operation, one sentence each (see Engine). */
  variableFaults(operation: OperationDefinitionNode, variables: Record<string, unknown>): string[];
}

export interface AdmittedCall {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/**
 * What a document has to pass before it is executed, whichever way it came: limits first, because validation itself can be
 * made to work hard. Apollo asks step by step, at the places that it has for it; where Apollo is not, `admit` does all.
 */
export class Admission {
  private readonly rules: readonly ValidationRule[];
  /** Documents that passed; those of callers without a token apart, so that they push out no others. */
  private readonly documents = new DocumentCache();
  private readonly anonymousDocuments = new DocumentCache({ max: 50, maxTokens: 10_000 });
  private readonly open: OpenDocuments;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly options: AdmissionOptions,
  ) {
    const { introspection } = options;
    this.open = new OpenDocuments(introspection);
    this.rules = introspection === 'off' ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules;
  }

  /** The operation that is to be executed, or every error that stands against it. */
  admit({ query, operationName, variables }: Call): AdmittedCall | readonly GraphQLError[] {
    const tooLong = this.sourceFaults(query);
    if (tooLong.length > 0) return refusal(badUserInput(tooLong));
    const document = this.known(query) ?? this.validated(query);
    if (!('kind' in document)) return document;
    this.remember(query, document);
    const operation = getOperationAST(document, operationName) ?? undefined;
    const faults = this.callFaults(document, operation, variables ?? {}, 'raw');
    return operation === undefined || faults.length > 0 ? refusal(badUserInput(faults)) : { document, operation };
  }

  /**
   * What stands against a document that came without a token: UNAUTHENTICATED when it needs a caller, told before it is
   * validated. Undefined for one that anybody may send; it is known from then on.
   */
  anonymousErrors(source: unknown): readonly GraphQLError[] | undefined {
    if (typeof source !== 'string' || this.open.isTooLong(source)) return refusal(unauthenticated());
    const known = this.known(source);
    if (known !== undefined) return this.open.has(known) ? undefined : refusal(unauthenticated());
    const document = this.validated(source, this.open);
    if (!('kind' in document)) return document;
    this.anonymousDocuments.set(source, document);
    return undefined;
  }

  /** Whether a document that was parsed may be executed for a caller without a token. */
  isOpen(document: DocumentNode): boolean {
    return this.open.has(document);
  }

  sourceFaults(source: string): string[] {
    if (source.length <= DOCUMENT_LIMITS.characters) return [];
    return [`The document exceeds the limit of ${DOCUMENT_LIMITS.characters} characters`];
  }

  documentFaults(document: DocumentNode): string[] {
    return this.options.limits.faultsOf(document);
  }

  /** What is wrong with an operation and its variables; those that were looked through when they were parsed are `checked`. */
  callFaults(
    document: DocumentNode,
    operation: OperationDefinitionNode | undefined,
    variables: CostVariables = {},
    state: 'checked' | 'raw',
  ): string[] {
    if (operation === undefined) return ['The document has no operation of that name, or several and none was named'];
    if (state === 'raw' && !isStorable(variables)) return [UNSTORABLE];
    if (hasLongList(this.schema, operation, variables)) {
      return [`A list of the variables has more than ${MAX_ITEMS} items`];
    }
    if (isLarge(variables)) {
      const faults = this.options.variableFaults(operation, variables);
      if (faults.length > 0) return faults;
    }
    if (this.options.limits.costOf(document, operation, variables) > DOCUMENT_LIMITS.cost) {
      return [`The operation exceeds the cost limit of ${DOCUMENT_LIMITS.cost}`];
    }
    return [];
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
    if (open?.has(document) === false) return refusal(unauthenticated());
    const faults = this.documentFaults(document);
    if (faults.length > 0) return refusal(badUserInput(faults));
    const { introspection } = this.options;
    const hideSuggestions = introspection === 'off' || (open !== undefined && introspection !== 'open');
    const errors = validate(this.schema, document, this.rules, { maxErrors: 20, hideSuggestions });
    return errors.length > 0 ? errors : document;
  }
}

function parsed(source: string): DocumentNode | GraphQLError {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function refusal(fault: DomainError): GraphQLError[] {
  return [new GraphQLError('', { originalError: fault })];
}
