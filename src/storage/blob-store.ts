import type { Readable } from 'node:stream';
import { notFound, unavailable, type DomainError } from '../errors.js';

/** Bytes that were received, counted and hashed, and belong to no record yet: kept or discarded within the same call. */
export interface StagedBlob {
  /** Lower-case hexadecimal SHA-256 of the content. */
  readonly sha256: string;
  readonly size: number;
  /** The first bytes, 16 at most. */
  readonly head: Uint8Array;
  /** Where the staged bytes lie on this machine, for the detection of their type. */
  readonly path: string;
  /** Does ahead what takes long of `keep`, which still looks once more: a sweep may take the bytes in between. */
  secure(): Promise<void>;
  /** Makes the bytes durable under their content address (fsync, atomic rename); harmless when they already are. */
  store(): Promise<void>;
  /** Removes what was staged. Harmless after `keep` and when called twice. */
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
   * Reads `bytes` to the end into a staged file. Throws FILE_TOO_LARGE as soon as more than `maxBytes` have come. A
   * source must not write into a chunk again that it has given: chunks are batched, not copied.
   */
  stage(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>;
  /** Opens a kept blob. Throws UNAVAILABLE when the storage is away and NOT_FOUND when the bytes are not there. */
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  has(sha256: string): Promise<boolean>;
  /** Another one each time that the bytes are written; undefined where nothing says so, or they are not there. */
  stamp(sha256: string): Promise<string | undefined>;
  /** Removes the bytes; harmless when they are gone. The caller has made sure that nothing refers to them. */
  remove(sha256: string): Promise<void>;
  /** In the order of their addresses: those behind one, or all. */
  list(after?: string): AsyncIterable<StoredBlob>;
  /** Says who owns the storage, as it was written last; undefined when nothing was. */
  readMarker(): Promise<string | undefined>;
  /** Replaces what `readMarker` reads; durable when it returns. */
  writeMarker(text: string): Promise<void>;
  /** Forgets what a crash left in the staging area (older than a day, or all of it when no other process shares it). */
  sweepStaging(): Promise<number>;
  /** Throws UNAVAILABLE when the storage cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Where a storage says who owns it, below its root. */
export const MARKER = 'installation.json';

const SHA256 = /^[0-9a-f]{64}$/;

export const isContentAddress = (text: string): boolean => SHA256.test(text);

/**
 * Path of a blob below the storage's root: `blobs/ab/cd/<sha256>`, in two levels for small directories. Any other text
 * is NOT_FOUND, so that no foreign text becomes part of a path.
 */
export function blobKey(sha256: string): string {
  if (!isContentAddress(sha256)) throw notFound();
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Errors of the disk or of the machine, which pass without a change of our code: the caller may try again. */
const AWAY = new Set(
  'EACCES EBUSY EDQUOT EFBIG EIO EMFILE ENFILE ENODEV ENOSPC ENOTCONN ENOTDIR ENXIO EPERM EROFS ESTALE ETIMEDOUT'.split(
    ' ',
  ),
);

/** Runs a step of local storage; an error of disk or machine becomes UNAVAILABLE. */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw AWAY.has(errorCode(error) ?? '') ? unavailableBecause(error) : error;
  }
}

/** Runs a step on a file that may be gone: undefined when it is. */
export async function ifPresent<T>(step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** UNAVAILABLE, with what was wrong as its `cause`: for the log, never for the caller. */
export function unavailableBecause(cause: unknown): DomainError {
  return unavailable(undefined, { service: 'storage', cause });
}

/** The operating system's name of an error (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Where an S3-compatible service keeps them. */
export interface S3Location {
  kind: 's3';
  /** `https://host:port`, without a path. */
  endpoint: string;
  bucket: string;
  /** Empty, or what every key begins with, ending in `/`. */
  prefix: string;
  region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle: boolean;
  /** Absent: the SDK's own chain (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}
