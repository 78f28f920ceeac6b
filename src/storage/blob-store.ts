import type { Readable } from 'node:stream';
import { notFound } from '../errors.js';

/** Bytes that were received, counted and hashed, and belong to no record yet: kept or discarded within the same call. */
export interface StagedBlob {
  /** Lower-case hexadecimal SHA-256 of the content. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** The first bytes (at most 4,100 of them), enough for every signature. */
  readonly head: Uint8Array;
  /** Where the staged bytes lie on this machine, for detection that has to seek (ZIP containers). */
  readonly path: string;
  /** Does ahead what takes long of `keep`, which still looks once more: a sweep may take the bytes in between. */
  secure(): Promise<void>;
  /**
   * Makes the bytes durable under their content address (fsync, atomic rename); harmless when they already are. The
   * blob's time of storing becomes now, so that a sweep does not take it before something refers to it.
   */
  keep(): Promise<void>;
  /** Removes what was staged. Harmless after `keep` and when called twice. */
  discard(): Promise<void>;
}

/** A part of a blob, both ends inclusive, as in an HTTP Range. */
export interface ByteRange {
  start: number;
  end: number;
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
  /** Removes the bytes; harmless when they are gone. The caller has made sure that nothing refers to them. */
  remove(sha256: string): Promise<void>;
  /** Content addresses of all kept blobs and when each was last kept, for the sweep after a crash. */
  list(): AsyncIterable<{ sha256: string; storedAt: Date }>;
  /** Forgets what a crash left in the staging area (older than a day, or all of it when no other process shares it). */
  sweepStaging(): Promise<number>;
  /** Throws UNAVAILABLE when the storage cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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
