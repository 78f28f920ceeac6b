/** A file of an unpacked archive. */
export interface ArchiveFile {
  /** Path relative to the archive's folder, with slashes. */
  path: string;
  size: number;
  bytes: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A public key as the gateway publishes it. */
export interface ArchiveKey extends JsonWebKey {
  kid: string;
}

export interface Manifest {
  organization: { id: number; name: string; sandbox?: true };
  time_zone?: string;
  workflow: { id: string; name: string; version: string };
  period: { from: string | null; to: string | null };
  created_at: string;
  created_by: string;
  checkpoint: { at: string; position: number };
  files: { path: string; size: number; sha256: string }[];
}

/** A file that differs from what was signed. */
export interface Violation {
  kind: 'UNSIGNED' | 'MISSING' | 'CHANGED' | 'UNKNOWN' | 'NO_MANIFEST';
  path: string;
}

export interface Verified {
  violations: Violation[];
  /** Undefined without a valid signature: its content is not shown then. */
  manifest?: Manifest;
  key?: ArchiveKey;
}

/** The browser lacks Ed25519: nothing can be verified. */
export class NoEd25519 extends Error {}

const [MANIFEST, SIGNATURE, SUMS] = ['manifest.json', 'manifest.json.sig', 'manifest.sha256'] as const;
/** The keys that the gateway published when it created the archive. */
export const KEYS = 'audit-keys.json';

const utf8 = new TextDecoder();

/**
 * Verifies each file of the archive against the gateway's signature, like `scripts/verify-audit-trail.mjs --archive`,
 * in a browser. `onFile` is called with the number of verified files.
 */
export async function verifyArchive(
  files: readonly ArchiveFile[],
  keys: readonly ArchiveKey[],
  onFile: (done: number, all: number) => void = () => undefined,
): Promise<Verified> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const [text, signature] = [byPath.get(MANIFEST), byPath.get(SIGNATURE)];
  if (text === undefined) return { violations: [{ kind: 'NO_MANIFEST', path: MANIFEST }] };
  if (signature === undefined) return { violations: [{ kind: 'MISSING', path: SIGNATURE }] };
  const [signed, by] = [await text.bytes(), await signature.bytes()];
  const key = await signerOf(keys, signed, by);
  if (key === undefined) return { violations: [{ kind: 'UNSIGNED', path: MANIFEST }] };
  const manifest = JSON.parse(utf8.decode(signed)) as Manifest;
  const violations: Violation[] = [];
  for (const [index, { path, size, sha256 }] of manifest.files.entries()) {
    const file = byPath.get(path);
    if (file === undefined) violations.push({ kind: 'MISSING', path });
    else if (file.size !== size || (await sha256Of(await file.bytes())) !== sha256)
      violations.push({ kind: 'CHANGED', path });
    onFile(index + 1, manifest.files.length);
  }
  violations.push(...(await checksumViolations(byPath.get(SUMS), manifest, { [MANIFEST]: signed, [SIGNATURE]: by })));
  const known = new Set([...manifest.files.map(({ path }) => path), MANIFEST, SIGNATURE, SUMS]);
  for (const { path } of files) if (!known.has(path)) violations.push({ kind: 'UNKNOWN', path });
  return { violations, manifest, key };
}

async function signerOf(keys: readonly ArchiveKey[], text: BufferSource, signature: BufferSource) {
  for (const key of keys) if (await isBy(key, text, signature)) return key;
  return undefined;
}

async function isBy({ kty, crv, x }: ArchiveKey, text: BufferSource, signature: BufferSource): Promise<boolean> {
  const imported = await crypto.subtle
    .importKey('jwk', { kty, crv, x } as JsonWebKey, 'Ed25519', false, ['verify'])
    .catch((error: Error) => {
      if (error.name === 'NotSupportedError') throw new NoEd25519();
      return undefined;
    });
  return imported !== undefined && crypto.subtle.verify('Ed25519', imported, signature, text);
}

async function checksumViolations(
  file: ArchiveFile | undefined,
  { files }: Manifest,
  own: Readonly<Record<string, Uint8Array<ArrayBuffer>>>,
): Promise<Violation[]> {
  if (file === undefined) return [{ kind: 'MISSING', path: SUMS }];
  const listed = await Promise.all(
    Object.entries(own).map(async ([path, bytes]) => ({ path, sha256: await sha256Of(bytes) })),
  );
  const lines = [...files, ...listed].map(({ path, sha256 }) => `${sha256}  ${path}`);
  const found = utf8
    .decode(await file.bytes())
    .split('\n')
    .filter((line) => line !== '');
  const isSame = lines.toSorted().join('\n') === found.toSorted().join('\n');
  return isSame ? [] : [{ kind: 'CHANGED', path: SUMS }];
}

export async function sha256Of(bytes: BufferSource): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The rows of a table of the archive (RFC 4180) as objects, without the apostrophe that prevents formulas. */
export function rowsOf(bytes: Uint8Array): Record<string, string>[] {
  const cells = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/gy;
  const rows: string[][] = [[]];
  const text = utf8.decode(bytes);
  for (;;) {
    const [, quoted, plain = '', end] = cells.exec(text) ?? [];
    if (end === undefined) break;
    rows.at(-1)!.push(withoutMarks(quoted?.replaceAll('""', '"') ?? plain));
    if (end === '\r\n') rows.push([]);
    else if (end === '') break;
  }
  const [names = [], ...others] = rows.filter((row) => row.length > 1);
  return others.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

/** The text without the apostrophes that prevent spreadsheets from parsing it, or a part of it, as a formula. */
function withoutMarks(cell: string): string {
  return cell.replace(/(^|[;\t\r\n])'(?='*[\p{Cf}\p{Zs}]*[=+\-@＝＋－＠])/gu, '$1').replace(/^'(?='*[\t\r])/, '');
}
