import { hash } from 'node:crypto';

/** A document of a manifest. */
interface ManifestDocument {
  /** Lower-case hexadecimal SHA-256 of the text. */
  sha256: string;
  text: string;
}

/** Error of a manifest, in one sentence for the operator. */
export class ManifestError extends Error {}

const NO_MANIFEST =
  "is no manifest: it is Apollo's apollo-persisted-query-manifest of version 1, or an object with the text of each document under its id.";
const NO_SHA256 =
  "is no SHA-256: set algorithm 'SHA256' in the persistConfig of Relay, or hashAlgorithm: 'sha256' in the persistedDocuments of GraphQL Code Generator.";

/**
 * The documents of a manifest, each text once: that of Apollo's generate-persisted-query-manifest, of Relay's compiler
 * (persistConfig.file) or of the client preset of GraphQL Code Generator (persisted-documents.json). Throws ManifestError.
 */
export function readManifest(json: string): ManifestDocument[] {
  const entries = entriesOf(parsed(json));
  if (entries.length === 0) throw new ManifestError('The manifest has no document.');
  const documents = new Map<string, string>();
  for (const [id, text] of entries) {
    if (typeof id !== 'string' || typeof text !== 'string') throw new ManifestError(`The file ${NO_MANIFEST}`);
    const [, sha256] = /^(?:sha256:)?([0-9a-f]{64})$/.exec(id) ?? [];
    if (sha256 === undefined) throw new ManifestError(`The id ${JSON.stringify(id)} ${NO_SHA256}`);
    if (hash('sha256', text) !== sha256) throw new ManifestError(`The id ${id} is not the SHA-256 of its text.`);
    documents.set(sha256, text);
  }
  return [...documents].map(([sha256, text]) => ({ sha256, text }));
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Answered below.
  }
  throw new ManifestError(`The file ${NO_MANIFEST}`);
}

function entriesOf(manifest: object): [id: unknown, text: unknown][] {
  const { format, version, operations } = manifest as { format?: unknown; version?: unknown; operations?: unknown };
  if (format === undefined) return Object.entries(manifest);
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations))
    throw new ManifestError(`The file ${NO_MANIFEST}`);
  return operations.map((operation: { id?: unknown; body?: unknown } | null) => [operation?.id, operation?.body]);
}
