import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import { collected } from '../../common/collected.js';
import { composed } from '../../common/composed-text.js';
import { readTable } from '../../common/incoming-table.js';
import { MAX_DEPTH, parseJson } from '../../common/json-text.js';
import { shownName } from '../../common/shown-name.js';
import { unescapedCell } from '../../common/spreadsheets.js';
import { badUserInput, inputError, invalidInput, type DomainError } from '../../errors.js';
import type { ZipArchive } from '../../storage/zip-archive.js';
import { LIMITS } from '../../values/limits.js';

/** A document named by a manifest, with its values by the column names of `documents.csv`. */
export interface ManifestRow {
  row: number;
  said: ReadonlyMap<string, string>;
  /** The error of the row itself. */
  error?: DomainError;
}

export interface DocumentManifest {
  /** The workflow of an evidence pack. */
  workflowId: string | undefined;
  rows: readonly ManifestRow[];
  /** Files of the archive that are not documents. */
  others: ReadonlySet<string>;
  /** Ignored columns of the table of an evidence pack. */
  ignoredColumns: readonly string[];
}

/** Properties of a document that are imported; others of an evidence pack are derived again by the upload. */
export const SAID = [
  'path',
  'control_id',
  'original_name',
  'content_type',
  'effective_at',
  'valid_until',
  'note',
  'sha256',
];

const MANIFEST = 'manifest.json';
const TABLE = 'documents.csv';
/** Files of an evidence pack that are generated after the manifest. */
const AFTER_MANIFEST = ['manifest.json.sig', 'manifest.sha256'];

const IGNORED = ['version_id', 'size', 'uploaded_by'];

const COLUMNS = {
  known: new Set([...SAID, 'uploaded_at', ...IGNORED]),
  required: ['path', 'control_id'],
  ignored: new Set(IGNORED),
};

/** Reads the manifest of an archive. Throws BAD_USER_INPUT if it is neither a manifest nor an evidence pack. */
export async function readManifest(
  archive: ZipArchive,
  limits: ManifestLimits = LIMITS.archive,
): Promise<DocumentManifest> {
  const manifest = recordOf(
    parseJson(await bytesOf(archive, MANIFEST, limits), { what: MANIFEST, maxDepth: MAX_DEPTH }),
  );
  const { documents, files } = manifest;
  if (Array.isArray(documents) === Array.isArray(files))
    throw badUserInput([`${MANIFEST} must have either documents or, of an evidence pack, files`]);
  return bounded(
    Array.isArray(documents) ? ownManifest(manifest, documents) : await packManifest(archive, manifest, limits),
    limits,
  );
}

/** Maximum number of documents in a manifest, and of bytes in it and in its table. */
type ManifestLimits = Pick<typeof LIMITS.archive | typeof LIMITS.importJob, 'documents' | 'manifestBytes'>;

function bounded(manifest: DocumentManifest, { documents: max }: ManifestLimits): DocumentManifest {
  if (manifest.rows.length > max) throw badUserInput([`${MANIFEST} must not name more than ${max} documents`]);
  return manifest;
}

function ownManifest(manifest: Record<string, unknown>, documents: readonly unknown[]): DocumentManifest {
  const unknown = Object.keys(manifest).filter((name) => name !== 'documents');
  if (unknown.length > 0)
    throw badUserInput(unknown.map((name) => `${shownName(name)} is not a known field of ${MANIFEST}`));
  const rows = documents.map((document, index) => ownRow(document, index + 1));
  return { workflowId: undefined, rows, others: new Set([MANIFEST]), ignoredColumns: [] };
}

function ownRow(document: unknown, row: number): ManifestRow {
  const fields = Object.entries(recordOf(document));
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
  const said = withPath(new Map(texts.filter(([name]) => SAID.includes(name))));
  const unknown = fields.find(([name]) => !SAID.includes(name))?.[0];
  if (unknown !== undefined) return { row, said, error: badUserInput([`${shownName(unknown)} is not a known field`]) };
  const wrong = fields.find(([, value]) => value !== null && typeof value !== 'string')?.[0];
  return { row, said, ...(wrong !== undefined && { error: invalidInput([inputError(wrong, 'must be a string')]) }) };
}

/** An evidence pack names its documents in a table, and every file with its SHA-256 in the manifest. */
async function packManifest(
  archive: ZipArchive,
  manifest: Record<string, unknown>,
  limits: ManifestLimits,
): Promise<DocumentManifest> {
  const listed = (manifest['files'] as unknown[]).map(recordOf);
  const sums = new Map(listed.map(({ path, sha256 }) => [typeof path === 'string' ? composed(path) : path, sha256]));
  // Which of two checksums counts would be a guess.
  if (sums.size < listed.length) throw badUserInput([`${MANIFEST} must not name a file twice`]);
  const table = await bytesOf(archive, TABLE, limits);
  if (createHash('sha256').update(table).digest('hex') !== sums.get(TABLE))
    throw badUserInput([`${TABLE} is not as ${MANIFEST} says`]);
  const sent = await readTable([table], COLUMNS, tableOf(limits));
  const rows = sent.rows.map(({ row, cells = new Map() }): ManifestRow => {
    const said = withPath(
      new Map([...cells].filter(([, cell]) => cell !== '').map(([name, cell]) => [name, unescapedCell(cell)])),
    );
    // Without another date, a document is dated by its upload.
    const effectiveAt = said.get('effective_at') ?? said.get('uploaded_at');
    if (effectiveAt !== undefined) said.set('effective_at', effectiveAt);
    const sha256 = sums.get(said.get('path'));
    if (typeof sha256 !== 'string')
      return { row, said, error: invalidInput([inputError('path', `is not in ${MANIFEST}`)]) };
    return { row, said: said.set('sha256', sha256) };
  });
  const paths = new Set(rows.map(({ said }) => said.get('path')));
  const others = [...sums.keys()].filter((path): path is string => typeof path === 'string' && !paths.has(path));
  const { id } = recordOf(manifest['workflow']);
  return {
    workflowId: typeof id === 'string' ? id : '',
    rows,
    others: new Set([...others, MANIFEST, ...AFTER_MANIFEST]),
    ignoredColumns: sent.ignoredColumns,
  };
}

/** Its path in the archive, in one Unicode normalization. */
function withPath(said: Map<string, string>): Map<string, string> {
  const path = said.get('path');
  return path === undefined ? said : said.set('path', composed(path));
}

/** The name of the document, or else that of its file. */
export function nameOf({ said }: Pick<ManifestRow, 'said'>): string {
  return said.get('original_name') ?? basename(said.get('path') ?? '');
}

/** A pack that is too large is refused as a manifest with too many documents is. */
function tableOf({ documents, manifestBytes }: ManifestLimits) {
  return { maxBytes: Math.max(manifestBytes, LIMITS.table.maxBytes), rows: Math.max(documents, LIMITS.table.rows) };
}

async function bytesOf(
  archive: ZipArchive,
  path: string,
  { manifestBytes }: Pick<ManifestLimits, 'manifestBytes'>,
): Promise<Buffer> {
  if (!archive.files.has(path)) throw badUserInput([`file must have ${path} in it`]);
  return collected(archive.read(path), manifestBytes, () => badUserInput([`${path} is too large`]));
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
