import {
  defaultFieldResolver,
  GraphQLError,
  Kind,
  Lexer,
  Source,
  TokenKind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { traced } from '../common/tracing.js';
import type { GraphQLContext } from '../http/context.js';
import { unauthenticated } from '../errors.js';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { isMetaField } from './document-walk.js';

/** For people without a token: an invitation is seen and exchanged for a first token, a recovery link for a new one. */
const OPEN: ReadonlySet<string> = new Set([
  'Query.invitationPreview',
  'Mutation.acceptInvitation',
  'Mutation.requestTokenRecovery',
  'Mutation.recoverToken',
  'Mutation.exchangeSignInCode',
]);

/** Names of the root fields that need no token. */
export const OPEN_FIELDS: readonly string[] = [...OPEN].map((field) => field.slice(field.indexOf('.') + 1));

/**
 * Makes every root field refuse anonymous callers (specification 5). Done once on the whole schema, so that a new field
 * needs a token by default and those that do not are listed. Introspection is no root field of ours: see `OpenDocuments`.
 */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const name = `${root?.name}.${field.name}`;
      const own = field.resolve ?? defaultFieldResolver;
      // Of a subscription it runs for each event.
      const resolve = root === schema.getSubscriptionType() ? own : withSpan(name, own);
      field.resolve = resolve;
      if (OPEN.has(name) || isMetaField(field.name)) continue;
      field.resolve = guarded(resolve);
      if (field.subscribe !== undefined) field.subscribe = guarded(field.subscribe);
    }
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

function withSpan(name: string, resolve: Resolver): Resolver {
  return (source, args, context, info) =>
    traced(
      () => ({ name }),
      () => resolve(source, args, context, info),
    );
}

function guarded(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (context.caller.kind === 'anonymous') throw unauthenticated();
    return resolve(source, args, context, info);
  };
}

/** Callers who may read the schema: none, those with a token, or all. */
export type Introspection = 'off' | 'token' | 'open';

/** Distinguishes documents that need a token from those that need none. */
export class OpenDocuments {
  private readonly known = new WeakMap<DocumentNode, boolean>();

  constructor(private readonly introspection: Introspection) {}

  /** Whether the text is longer than any document without a token needs to be; it is not parsed. */
  isTooLong(source: string): boolean {
    const { characters, tokens } = DOCUMENT_LIMITS.anonymous;
    return source.length > characters || (source.match(TOKEN)?.length ?? 0) > tokens;
  }

  /** Whether the first root field needs a token, by the first tokens of the text; false where they do not say. */
  beginsClosed(source: string): boolean {
    const name = firstRootField(source);
    if (name === undefined || name === '__typename') return false;
    return isMetaField(name) ? this.introspection !== 'open' : !OPEN_FIELDS.includes(name);
  }

  /** Whether every root field of every operation is open. */
  has(document: DocumentNode): boolean {
    let isOpen = this.known.get(document);
    if (isOpen === undefined) this.known.set(document, (isOpen = this.look(document)));
    return isOpen;
  }

  private look({ definitions }: DocumentNode): boolean {
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const each of definitions) if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
    return definitions.every(
      (each) =>
        each.kind !== Kind.OPERATION_DEFINITION ||
        this.isOpen(each.operation, each.selectionSet, { fragments, found: new Map() }),
    );
  }

  private isOpen(operation: OperationTypeNode, { selections }: SelectionSetNode, walk: RootWalk): boolean {
    return selections.every((node) => {
      if (node.kind === Kind.FIELD) return this.isOpenRoot(operation, node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return this.isOpen(operation, node.selectionSet, walk);
      const name = node.name.value;
      const fragment = walk.fragments.get(name);
      // False meanwhile: a fragment that spreads itself is not worth validating for a caller without a token.
      if (!walk.found.has(name)) {
        walk.found.set(name, false);
        walk.found.set(name, fragment !== undefined && this.isOpen(operation, fragment.selectionSet, walk));
      }
      return walk.found.get(name) as boolean;
    });
  }

  private isOpenRoot(operation: OperationTypeNode, name: string): boolean {
    if (isMetaField(name)) return this.introspection === 'open';
    return name === '__typename' || OPEN.has(`${operation[0]?.toUpperCase()}${operation.slice(1)}.${name}`);
  }
}

interface RootWalk {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Whether the fragments that were looked at are open. */
  found: Map<string, boolean>;
}

/** The first field of a text that begins with an operation; undefined when it does not, or begins with a spread. */
function firstRootField(source: string): string | undefined {
  const lexer = new Lexer(new Source(source));
  try {
    let token = lexer.advance();
    for (let depth = 0; token.kind !== TokenKind.BRACE_L || depth > 0; token = lexer.advance()) {
      if (token.kind === TokenKind.EOF || token.value === 'fragment') return undefined;
      if (token.kind === TokenKind.PAREN_L) depth += 1;
      if (token.kind === TokenKind.PAREN_R) depth -= 1;
    }
    const first = lexer.advance();
    const named = lexer.lookahead().kind === TokenKind.COLON && lexer.advance() ? lexer.advance() : first;
    return first.kind === TokenKind.NAME && named.kind === TokenKind.NAME ? named.value : undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Nearly GraphQL's tokens: a string counts by its words, so that there are never fewer than GraphQL reads. */
const TOKEN = /\w+|[^\s\w,]/g;
