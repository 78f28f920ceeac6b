import type { Readable } from 'node:stream';
import { notFound, unavailable, type DomainError } from '../errors.js';

/** Received bytes, counted and hashed, that no record references yet: stored or discarded within the same call. */
export interface StagedBlob {
  /** Lower-case hexadecimal SHA-256 of the content. */
  readonly sha256: string;
  readonly size: number;
  /** The first bytes, 16 at most. */
  readonly head: Uint8Array;
  /** Path of the staged bytes on this machine, for detecting their type. */
  readonly path: string;
  /** Does the slow part of `store` in advance; `store` checks again, because a sweep may remove the bytes meanwhile. */
  secure(): Promise<void>;
  /** Makes the bytes durable under their content address (fsync, atomic rename). Idempotent. */
  store(): Promise<void>;
  /** Removes the staged bytes. Idempotent, and without effect after `store`. */
  discard(): Promise<void>;
}

/** A part of a blob, both ends inclusive, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBlob {
  sha256: string;
  storedAt: Date;
}

/** Content-addressed storage: one content is stored once, under its SHA-256. */
export interface BlobStore {
  /**
   * Reads `bytes` to the end into a staged file. Throws FILE_TOO_LARGE as soon as more than `maxBytes` have arrived.
   * A source must not reuse a chunk that it has passed on: chunks are batched, not copied.
   */
  stage(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>;
  /**
   * Opens a stored blob. Throws UNAVAILABLE when the storage is not available, and NOT_FOUND when the blob does not
   * exist.
   */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  has(sha256: string): Promise<boolean>;
  /** A value that changes whenever the bytes are written; undefined without such a value, or without the blob. */
  stamp(sha256: string): Promise<string | undefined>;
  /** Removes the bytes. Idempotent. The caller must ensure that no record references them. */
  remove(sha256: string): Promise<void>;
  /** In the order of their addresses: those after one, or all. */
  list(after?: string): AsyncIterable<StoredBlob>;
  /** The owner of the storage as it was written last; undefined without one. */
  readMarker(): Promise<string | undefined>;
  /** Replaces the marker; durable when it returns. */
  writeMarker(text: string): Promise<void>;
  /** Removes files that a crash left in the staging area (older than a day, or all when no other process shares it). */
  sweepStaging(): Promise<number>;
  /** Throws UNAVAILABLE when the storage is not available. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The file that names the owner of a storage, below its root. */
export const MARKER = 'installation.json';

const SHA256 = /^[0-9a-f]{64}$/;

export const isContentAddress = (text: string): boolean => SHA256.test(text);

/**
 * Path of a blob below the storage's root: `blobs/ab/cd/<sha256>`, in two levels for small directories. Throws
 * NOT_FOUND for any other text, so that no input becomes part of a path.
 */
export function blobKey(sha256: string): string {
  if (!isContentAddress(sha256)) throw notFound();
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Temporary errors of the disk or the machine: the caller may retry. */
const AWAY = new Set(
  'EACCES EBUSY EDQUOT EFBIG EIO EMFILE ENFILE ENODEV ENOSPC ENOTCONN ENOTDIR ENXIO EPERM EROFS ESTALE ETIMEDOUT'.split(
    ' ',
  ),
);

/** Runs a step of local storage; errors of the disk or the machine become UNAVAILABLE. */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw AWAY.has(errorCode(error) ?? '') ? unavailableBecause(error) : error;
  }
}

/** Runs a step on a file; undefined when it does not exist. */
export async function ifPresent<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** UNAVAILABLE with the error as its `cause`: for the log, never for the caller. */
export function unavailableBecause(cause: unknown): DomainError {
  return unavailable(undefined, { service: 'storage', cause });
}

/** The operating system's code of an error (`ENOENT`), if any. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Location of an S3-compatible storage. */
export interface S3Location {
  kind: 's3';
  /** `https://host:port`, without a path. */
  endpoint: string;
  bucket: string;
  /** Prefix of every key, ending in `/`, or empty. */
  prefix: string;
  region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle: boolean;
  /** Absent: the SDK's own chain (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}
