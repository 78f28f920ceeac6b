import type { Readable } from 'node:stream';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { found, inputError, invalidData, invalidInput, notFound } from '../../errors.js';
import type { BlobStore, StagedBlob } from '../../storage/blob-store.js';
import { detectFileType } from '../../storage/file-type.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { VerifiedContent } from '../../storage/verified-content.js';
import { isPublicUrl } from '../../common/public-url.js';
import { fileKinds } from '../../values/file-types.js';
import { LIMITS } from '../../values/limits.js';
import { openReferenced } from '../files/content-references.js';
import type { StoredContent } from '../files/stored-content.js';

/** Allowed types of a logo, with the extension of its address. */
const LOGO_KINDS: Readonly<Record<string, { extension: string; mediaType: string }>> = {
  PNG: { extension: 'png', mediaType: 'image/png' },
  JPEG: { extension: 'jpg', mediaType: 'image/jpeg' },
  WEBP: { extension: 'webp', mediaType: 'image/webp' },
};

export const logoTypes = fileKinds.filter(({ name }) => Object.hasOwn(LOGO_KINDS, name));

/**
 * Receives a logo. Its path is the hash of its content, because pages and mails show logos without a token. Throws
 * FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, or INVALID_DATA for an empty file.
 */
export async function stageLogo(store: BlobStore, file: IncomingFile): Promise<{ staged: StagedBlob; path: string }> {
  const staged = await store.stage(file.bytes, LIMITS.logo.maxBytes);
  try {
    if (staged.size === 0) throw invalidData();
    const { kind } = await detectFileType(staged, await file.facts(), logoTypes);
    return { staged, path: `/logos/${staged.sha256}.${LOGO_KINDS[kind]!.extension}` };
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Receives a logo and runs `write` with its column values in a separate transaction. Throws as `stageLogo` does. */
export async function withLogo<Result>(
  content: StoredContent,
  file: IncomingFile,
  write: (tx: Queryable, logo: { logo: string; logoBytes: number }) => Promise<Result>,
): Promise<Result> {
  const { staged, path } = await stageLogo(content.store, file);
  try {
    return await content.storeWith(staged, (tx) => write(tx, { logo: path, logoBytes: staged.size }));
  } finally {
    await staged.discard();
  }
}

/** The SHA-256 of the logo of a local path; undefined for an external address. */
export function logoContent(logo: string): string | undefined {
  return /^\/logos\/([0-9a-f]{64})[.]/.exec(logo)?.[1];
}

/**
 * Refuses a logo on a host that is not public: mail programs and other users' browsers load it. The gateway's own address
 * is always valid. Throws BAD_USER_INPUT.
 */
export function requirePublicLogo(logo: string, publicUrl: string): void {
  const isOwn = logo.startsWith(publicUrl) && logoContent(logo.slice(publicUrl.length)) !== undefined;
  if (logo === '' || isOwn || isPublicUrl(logo)) return;
  throw invalidInput([inputError('logo', 'must be on a public host, not on a local one')]);
}

/** Removes an organization's former logo, unless it is still referenced. */
export async function removeLogo(content: StoredContent, logo: string): Promise<void> {
  const sha256 = logoContent(logo);
  if (sha256 !== undefined) await content.deleteIfUnreferenced(sha256);
}

const shown = statement<{ logo: string }>()((p) =>
  db.selectFrom('organization').select('id').where('logo', '=', p('logo')).where('deleted_at', 'is', null).limit(1),
);

/** Opens a logo by the last part of its path, without authorization; throws NOT_FOUND unless an organization shows it. */
export async function openLogo(
  database: Database,
  files: VerifiedContent,
  name: string,
): Promise<{ content: Readable; mediaType: string }> {
  const [, sha256, extension] = /^([0-9a-f]{64})\.(png|jpg|webp)$/.exec(name) ?? [];
  const kind = Object.values(LOGO_KINDS).find((each) => each.extension === extension);
  if (sha256 === undefined || kind === undefined) throw notFound();
  const isShown = () => shown.first(database, { logo: `/logos/${name}` });
  found(await isShown());
  return {
    content: await openReferenced(sha256, () => files.open(sha256), isShown),
    mediaType: kind.mediaType,
  };
}
