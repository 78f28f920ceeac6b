import {
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { DOCUMENT_LIMITS } from '../engine/document-limits.js';
import { isOpenField } from '../engine/guard.js';

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
        this.isOpen(each.operation, each.selectionSet, { fragments, seen: new Set() }),
    );
  }

  private isOpen(operation: OperationTypeNode, { selections }: SelectionSetNode, walk: RootWalk): boolean {
    return selections.every((node) => {
      if (node.kind === Kind.FIELD) return this.isOpenRoot(operation, node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return this.isOpen(operation, node.selectionSet, walk);
      const fragment = walk.fragments.get(node.name.value);
      if (fragment === undefined || walk.seen.has(node.name.value)) return true;
      walk.seen.add(node.name.value);
      return this.isOpen(operation, fragment.selectionSet, walk);
    });
  }

  private isOpenRoot(operation: OperationTypeNode, name: string): boolean {
    if (name === '__schema' || name === '__type') return this.introspection === 'open';
    return name === '__typename' || isOpenField(operation, name);
  }
}

interface RootWalk {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Fragments that were looked at. */
  seen: Set<string>;
}

/** As GraphQL reads them, nearly: a text counts by its words, which is never fewer tokens than it has. */
const TOKEN = /\w+|[^\s\w,]/g;
