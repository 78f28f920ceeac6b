import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/**
 * Documents that were parsed and validated, by their text. Compiled operations hang on the document object, so this
 * cache bounds them as well: at most so many documents, and at most so many characters of them together.
 */
export class DocumentCache {
  private readonly documents = new LRUCache<string, DocumentNode>({
    max: 1_000,
    maxSize: 4_000_000,
    sizeCalculation: (_document, source) => source.length + 1,
  });

  get(source: string): DocumentNode | undefined {
    return this.documents.get(source);
  }

  set(source: string, document: DocumentNode): void {
    this.documents.set(source, document);
  }
}
