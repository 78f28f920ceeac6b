import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/**
 * Documents that were parsed and validated, by their text. Compiled operations hang on the document object, so this
 * cache bounds them as well: at most so many documents, and at most so many tokens of them together.
 */
export class DocumentCache extends LRUCache<string, DocumentNode> {
  constructor({ max = 1_000, maxTokens = 150_000 } = {}) {
    super({ max, maxSize: maxTokens, sizeCalculation: weightOf });
  }
}

/** A token of a compiled document takes about a kilobyte, one of a parsed document 300 bytes; long texts count as well. */
function weightOf({ tokenCount = 0 }: DocumentNode & { tokenCount?: number }, source: string): number {
  return 1 + tokenCount + Math.ceil(source.length / CHARACTERS_OF_A_TOKEN);
}

/** Characters that take as much memory as a token. */
const CHARACTERS_OF_A_TOKEN = 200;
