import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '../../../src/database/database.js';
import type { Answer, Envelope, RestClient } from '../../support/clients.js';

/** Target of a test's documents: a control of a workflow of an organization, and the uploader. */
export interface Place {
  organizationId: number;
  artifactId: string;
  token: string;
}

/** The address of a control's versions (specification 4.2). */
export function versionsPath({ organizationId, artifactId }: Pick<Place, 'organizationId' | 'artifactId'>): string {
  return `/api/v1/v-ciso/organizations/${organizationId}/workflows/iso-27001-2022/documents/${artifactId}/versions`;
}

export function uploadText(rest: RestClient, place: Place, text: string): Promise<Answer<Envelope>> {
  const content = Buffer.from(text).toString('base64');
  const body = { filename: 'notes.txt', content, content_type: 'text/plain', source: 'attached' };
  return rest.post(versionsPath(place), { token: place.token, body });
}

export interface VersionRow {
  id: number;
  sha256: string;
  size: number;
  artifactId: string;
}

/** Every version, oldest first. */
export function versionRows(database: Queryable): Promise<VersionRow[]> {
  return database.rows('select id, sha256, size, artifact_id as "artifactId" from document_version order by id');
}

/** Versions whose stored bytes do not match size and SHA-256; always empty. */
export async function rowsWithoutTheirBytes(database: Queryable, files: string): Promise<string[]> {
  const wrong: string[] = [];
  const rows = await versionRows(database);
  await Promise.all(
    rows.map(async ({ id, sha256, size }) => {
      const bytes = await readFile(blobPath(files, sha256)).catch(() => undefined);
      if (bytes === undefined) wrong.push(`version ${id} has no bytes`);
      else if (bytes.length !== size || sha256Hex(bytes) !== sha256) wrong.push(`version ${id} has other bytes`);
    }),
  );
  return wrong;
}

/** Content addresses of the files in a folder. */
export async function storedBlobs(files: string): Promise<string[]> {
  const entries = await readdir(join(files, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Names of incomplete uploads, including those of a dead gateway. */
export function stagedFiles(files: string): Promise<string[]> {
  return readdir(join(files, 'staging')).catch(() => []);
}

export function blobPath(files: string, sha256: string): string {
  return join(files, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
