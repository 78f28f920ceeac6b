// Types of scripts/verify-audit-trail.mjs, which the build puts beside them. It needs Node.

/** What is not as it was written; of an evidence pack, a line for each file. */
export class AuditTrailFault extends Error {}

/** Nothing was verified: what was given is something else. */
export class OtherFile extends Error {}

/** Keys as `/.well-known/audit-keys.json` has them. */
export interface AuditKeys {
  keys: readonly { kid: string; [member: string]: unknown }[];
}

export interface VerifiedTrail {
  /** What the trail is of, such as `organization/1`. */
  log: string;
  /** How many entries were removed from its beginning after their retention. */
  removed: number;
  /** Up to which entry it is as it was written. */
  position: number;
  /** When its last checkpoint was signed. */
  at: string;
  /** Of a part: how many entries it has, and how many of them the export has. */
  part?: { entries: number; found: number };
}

export interface VerifiedPack {
  workflow: string;
  organization: number;
  /** How many files the pack has. */
  files: number;
  position: number;
  at: string;
}

/**
 * Verifies an export, a file, its bytes as they come or its lines; throws AuditTrailFault with the first fault. A line ends with a line feed
 * alone: `node:readline` ends one at U+2028 as well, which texts of people may have.
 * Checkpoints are earlier ones as either API answered them, or hash and position of an entry alone; a part is a file with some of the entries.
 * An option that is given and undefined or null is a TypeError: nothing would be compared with it.
 */
export function verifyAuditTrail(
  source: string | AsyncIterable<string | Uint8Array> | ReadableStream<Uint8Array>,
  options: AuditKeys & { checkpoints?: readonly unknown[]; part?: string },
): Promise<VerifiedTrail>;

/** Verifies the folder of an unpacked evidence pack; throws AuditTrailFault with a line for each file that is not as it was sent. */
export function verifyEvidencePack(folder: string, options: AuditKeys): Promise<VerifiedPack>;

/** What was verified, in words. */
export function sentenceOf(verified: VerifiedTrail | VerifiedPack): string;

/** Throws OtherFile for a file that is no export (`noun` says of what) but a page, an answer or an archive, by its first bytes. */
export function requireExport(file: string, noun: string): void;

/** Throws OtherFile for what is no list of keys, so that no file is taken for one that was changed. */
export function requireKeys(keys: unknown): void;

/** The keys of a key file; throws OtherFile for one that has none. */
export function readKeys(file: string): AuditKeys['keys'];

/** A checkpoint as people hold it: the name of a file, the line of a mail, or `HASH@POSITION`; throws OtherFile for anything else. */
export function checkpointOf(said: string): unknown;
