import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { StartupError } from '../errors.js';
import type { Extent } from './archive.js';

export interface BackedUpTable {
  schema: string;
  name: string;
  /** Without generated columns. */
  columns: string[];
  rows: number;
  /** Digest of all rows in any order (`RowDigest`). */
  digest: string;
}

export interface Manifest {
  format: 1;
  madeAt: string;
  /** Id of the installation; null before a storage was used. */
  installation: string | null;
  /** Version of the database schema. */
  migrations: string[];
  tables: BackedUpTable[];
  /** The last number of each sequence that was used. */
  sequences: { schema: string; name: string; last: number }[];
  /** Parts of tables, by their names in the archive. Stored files are named after their own SHA-256. */
  parts: Record<string, Extent>;
  files: { count: number; bytes: number; missing: { sha256: string; why: string }[] };
  /** The archive before the manifest. */
  before: Extent;
}

const FORMAT = 1;

/** Identifies the key, and authenticates the manifest with it. */
function seals(secretKey: string, text: string): { key: string; seal: string } {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'backup manifest', 32));
  const mac = (about: string) => createHmac('sha256', key).update(about).digest('hex');
  return { key: mac('key'), seal: mac(`manifest ${text}`) };
}

export function writeManifest(manifest: Manifest, secretKey: string): Buffer {
  const text = JSON.stringify(manifest);
  return Buffer.from(`${JSON.stringify({ ...seals(secretKey, text), manifest }, null, 1)}\n`);
}

/** Throws StartupError if it was made with another key or was changed. */
export function readManifest(bytes: Buffer, secretKeys: readonly string[]): Manifest {
  const { key, seal, manifest } = parsed(bytes);
  const text = JSON.stringify(manifest);
  const own = secretKeys.map((each) => seals(each, text)).find((each) => each.key === key);
  if (own === undefined)
    throw new StartupError(
      'SECRET_KEY is not that of the backup, nor is one of EARLIER_SECRET_KEYS, or its manifest.json is damaged: audit trails could not be verified. ' +
        'Set SECRET_KEY to that of the gateway that was backed up (of the embedded database: DATA_DIR/secret.key).',
    );
  if (seal?.length !== own.seal.length || !timingSafeEqual(Buffer.from(seal), Buffer.from(own.seal)))
    throw new StartupError('The backup is damaged: its manifest.json is not what was written.');
  if (manifest?.format !== FORMAT) throw new StartupError('The backup was made by a newer version of the gateway.');
  return manifest;
}

function parsed(bytes: Buffer): { key?: string; seal?: string; manifest?: Manifest } {
  try {
    return JSON.parse(bytes.toString()) as { manifest?: Manifest };
  } catch {
    throw new StartupError('The backup is damaged: its manifest.json cannot be read.');
  }
}
