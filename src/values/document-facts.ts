import { DEFAULT_DOCUMENT_SOURCE, DOCUMENT_SOURCES, type DocumentSource } from './enums.js';

/** The declared facts of an uploaded document. */
interface Said {
  filename?: string | undefined;
  source?: string | undefined;
}

/** The origin of a document; undefined for one that is not in the list. */
export function sourceOf({ source }: Said): DocumentSource | undefined {
  return DOCUMENT_SOURCES.find((each) => each === (source || DEFAULT_DOCUMENT_SOURCE));
}

/** Errors of the facts of a document (specification 4.2). */
export function documentErrors(said: Said): { field: keyof Said; sentence: string }[] {
  const isNamed = said.filename !== undefined && said.filename.trim() !== '';
  const isKnown = sourceOf(said) !== undefined;
  return [
    ...(isNamed ? [] : [{ field: 'filename', sentence: 'is required' } as const]),
    ...(isKnown ? [] : [{ field: 'source', sentence: `must be one of ${DOCUMENT_SOURCES.join(', ')}` } as const]),
  ];
}
