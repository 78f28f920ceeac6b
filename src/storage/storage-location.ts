import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BlobStore, S3Location } from './blob-store.js';
import { LocalBlobStore } from './local-blob-store.js';
import { LocalRecordStore } from './local-record-store.js';
import { type RecordStore } from './record-store.js';

interface LocalLocation {
  kind: 'local';
  /** Absolute path. */
  directory: string;
}

/** A change calls the service three times at most, and must be answered within 30 seconds. */
export const SILENCE_SECONDS = 8;

/**
 * Opens the storage of STORAGE_URL without connecting; `ping` tests it. Uploads to S3 are staged in `stagingDir`; a
 * local store has its own staging folder.
 */
export async function openBlobStore(
  storageUrl: string,
  { stagingDir, silenceSeconds = SILENCE_SECONDS }: { stagingDir: string; silenceSeconds?: number },
): Promise<BlobStore> {
  const location = parseStorageUrl(storageUrl);
  if (location.kind === 'local') return new LocalBlobStore(location.directory);
  // The S3 SDK is slow to load, and a local store does not need it.
  const { S3BlobStore } = await import('./s3-blob-store.js');
  return new S3BlobStore(location, stagingDir, silenceSeconds * 1_000);
}

/** Opens the records of the storage of STORAGE_URL without connecting. */
export async function openRecordStore(storageUrl: string, silenceSeconds = SILENCE_SECONDS): Promise<RecordStore> {
  const location = parseStorageUrl(storageUrl);
  if (location.kind === 'local') return new LocalRecordStore(location.directory);
  const { S3RecordStore } = await import('./s3-record-store.js');
  return new S3RecordStore(location, silenceSeconds * 1_000);
}

/**
 * Reads STORAGE_URL:
 *
 * - `file:///var/lib/gateway`, or `file:./blobs` relative to the working directory.
 * - `s3://KEY:SECRET@host:port/bucket/prefix?region=eu-south-1&tls=1&path_style=1`. KEY and SECRET are
 *   percent-encoded (`/` is `%2F`) and may both be absent; port and prefix may be absent; `region` is `us-east-1`,
 *   `tls` 1 and `path_style` 1 unless given. For Amazon itself the host is `s3.<region>.amazonaws.com`.
 *
 * Throws an Error whose message is one sentence, fit to follow the variable's name, and never shows the secret.
 */
export function parseStorageUrl(url: string): LocalLocation | S3Location {
  if (/^file:/i.test(url)) return localLocation(url);
  if (/^s3:\/\//i.test(url)) return s3Location(url);
  throw new Error('must begin with file: or s3://.');
}

/** A folder of that literal name would be created, and not the former one used. */
export function needsShell(path: string): boolean {
  return /^([~$]|["'].*["']$)/.test(path);
}

function localLocation(url: string): LocalLocation {
  const rest = url.slice('file:'.length);
  if (/[?#]/.test(rest)) throw new Error('must not carry ? or # in a file: address (write %3F and %23).');
  const path = rest.startsWith('/') ? absolutePath(url) : decoded(rest);
  if (needsShell(path)) throw new Error('begins with a ~, a $ or a quotation mark, which nothing replaces here.');
  if (path === '' || path === '/' || path.includes('\0')) throw new Error('must name a directory after file:.');
  return { kind: 'local', directory: resolve(path) };
}

function absolutePath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new Error('must name a local directory, as in file:///var/lib/gateway or file:./blobs.');
  }
}

const PARAMETERS = ['region', 'tls', 'path_style'];

function s3Location(url: string): S3Location {
  // The parser would resolve them silently, to another bucket than the written one.
  if (/\/(\.|%2e){1,2}(?=[/?#]|$)/i.test(url)) throw new Error('has a path with . or .. in it.');
  const parsed = URL.parse(url);
  if (!parsed?.hostname) throw new Error('must have the form s3://KEY:SECRET@host:port/bucket.');
  if (parsed.hash) throw new Error('must not carry a # (write %23).');
  const { pathname, searchParams: query } = parsed;
  const place = bucketAndPrefix(pathname);
  if ([...query.keys()].some((name, at, all) => !PARAMETERS.includes(name) || all.indexOf(name) < at))
    throw new Error('knows only the parameters region, tls and path_style, each once.');
  const region = query.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/i.test(region)) throw new Error('has a region that is no name.');
  const endpoint = `${flag(query, 'tls') ? 'https' : 'http'}://${parsed.host}`;
  const pathStyle = flag(query, 'path_style');
  return { kind: 's3', endpoint, ...place, region, pathStyle, credentials: credentialsOf(parsed) };
}

function bucketAndPrefix(pathname: string): { bucket: string; prefix: string } {
  const [bucket = '', ...folders] = decoded(pathname).replace(/^\//, '').replace(/\/$/, '').split('/');
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/.test(bucket)) throw new Error('must name a bucket after the host.');
  if (folders.some((folder) => !/^[\w!.*'()=+@, -]+$/.test(folder) || /^\.+$/.test(folder)))
    throw new Error('has a prefix that is not made of plain folder names.');
  return { bucket, prefix: folders.length === 0 ? '' : `${folders.join('/')}/` };
}

function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? '1';
  if (value !== '0' && value !== '1') throw new Error(`must give ${name} as 0 or 1.`);
  return value === '1';
}

function credentialsOf(parsed: URL): S3Location['credentials'] {
  const { username, password } = parsed;
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') throw new Error('must carry both the key and the secret, or neither.');
  return { accessKeyId: decoded(username), secretAccessKey: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % that does not begin a percent-encoded character.');
  }
}
