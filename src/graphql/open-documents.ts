import {
  GraphQLError,
  Kind,
  Lexer,
  Source,
  TokenKind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { isOpenField, OPEN_FIELDS } from './guard.js';

/** Who may ask for the schema: nobody, callers with a token, or anybody. */
export type Introspection = 'off' | 'token' | 'open';

/** Tells documents that need a caller from those that anybody may send. */
export class OpenDocuments {
  private readonly known = new WeakMap<DocumentNode, boolean>();

  constructor(private readonly introspection: Introspection) {}

  /** Told without parsing: whether the text is longer than any document that anybody may send needs to be. */
  isTooLong(source: string): boolean {
    const { characters, tokens } = DOCUMENT_LIMITS.anonymous;
    return source.length > characters || (source.match(TOKEN)?.length ?? 0) > tokens;
  }

  /** Told by the first tokens: whether the first root field needs a caller. False also where they do not say. */
  beginsClosed(source: string): boolean {
    const name = firstRootField(source);
    if (name === undefined || name === '__typename') return false;
    return isIntrospection(name) ? this.introspection !== 'open' : !OPEN_FIELDS.includes(name);
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
      // False while it is looked at: what spreads itself is not worth validating for a caller without a token.
      if (!walk.found.has(name)) {
        walk.found.set(name, false);
        walk.found.set(name, fragment !== undefined && this.isOpen(operation, fragment.selectionSet, walk));
      }
      return walk.found.get(name) as boolean;
    });
  }

  private isOpenRoot(operation: OperationTypeNode, name: string): boolean {
    if (isIntrospection(name)) return this.introspection === 'open';
    return name === '__typename' || isOpenField(operation, name);
  }
}

interface RootWalk {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Whether the fragments that were looked at are open. */
  found: Map<string, boolean>;
}

function isIntrospection(name: string): boolean {
  return name === '__schema' || name === '__type';
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

/** As GraphQL reads them, nearly: a text counts by its words, which is never fewer tokens than it has. */
const TOKEN = /\w+|[^\s\w,]/g;
