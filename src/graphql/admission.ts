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
import { badUserInput } from '../errors.js';
import type { DocumentCache } from './document-cache.js';
import { isStorable, UNSTORABLE } from './json-body.js';

/** What a client asks to have executed. */
export interface Call {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

export interface AdmissionOptions {
  introspection: boolean;
  /** Documents that passed. */
  documents: DocumentCache;
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
export class Admission {
  private readonly rules: readonly ValidationRule[];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly options: AdmissionOptions,
  ) {
    this.rules = options.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  }

  /** The operation that is to be executed, or every error that stands against it. */
  admit({ query, operationName, variables }: Call): AdmittedCall | readonly GraphQLError[] {
    const tooLong = this.sourceFaults(query);
    if (tooLong.length > 0) return refusal(tooLong);
    const document = this.known(query) ?? this.validated(query);
    if (!('kind' in document)) return document;
    const operation = getOperationAST(document, operationName) ?? undefined;
    const faults = this.callFaults(document, operation, variables ?? {}, 'raw');
    return operation === undefined || faults.length > 0 ? refusal(faults) : { document, operation };
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
    if (this.options.limits.costOf(document, operation, variables) > DOCUMENT_LIMITS.cost) {
      return [`The operation exceeds the cost limit of ${DOCUMENT_LIMITS.cost}`];
    }
    return [];
  }

  /** A document that was parsed and found valid. */
  known(source: string): DocumentNode | undefined {
    return this.options.documents.get(source);
  }

  remember(source: string, document: DocumentNode): void {
    this.options.documents.set(source, document);
  }

  private validated(source: string): DocumentNode | readonly GraphQLError[] {
    const document = parsed(source);
    if (document instanceof GraphQLError) return [document];
    const faults = this.documentFaults(document);
    if (faults.length > 0) return refusal(faults);
    const options = { maxErrors: 20, hideSuggestions: !this.options.introspection };
    const errors = validate(this.schema, document, this.rules, options);
    if (errors.length > 0) return errors;
    this.remember(source, document);
    return document;
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

function refusal(faults: readonly string[]): GraphQLError[] {
  return [new GraphQLError('', { originalError: badUserInput(faults) })];
}
