/** Where a document version comes from (specification 2.3 shows `attached`; decisions 6 add the others). */
export const DOCUMENT_SOURCES = Object.freeze(['attached', 'generated', 'imported'] as const);

export type DocumentSource = (typeof DOCUMENT_SOURCES)[number];

/** What an upload that names no source is taken for (decisions 6). */
export const DEFAULT_DOCUMENT_SOURCE: DocumentSource = 'attached';
