import { listedTags, tagWithoutEncoding } from '../../http/negotiation.js';

/** Versions begin at 1. */
const NO_VERSION = 0;
/** A version as it is written, and the hash of the answer if that distinguishes more. */
const OWN_TAG = /^"([1-9]\d{0,9})(?:\.[\w-]{43})?"$/;
/** Each is tried by itself. */
const MAX_TAGS = 16;

/** The largest `Int` of GraphQL. */
export const MAX_INT = 2_147_483_647;

/**
 * The versions that may be changed, in order; null for any. A tag that is none of ours, or a weak one, names none (RFC 9110,
 * 13.1.1), and so does a text that is no list of tags: it cannot be judged, and no record has the version that it stands for.
 */
export function readVersions(text: string): readonly number[] | null {
  if (text === '*') return null;
  const tags = listedTags(text);
  if (tags.length > MAX_TAGS) return [NO_VERSION];
  const versions = tags.map((tag) => Number(OWN_TAG.exec(tagWithoutEncoding(tag))?.[1] ?? NO_VERSION));
  const known = versions.filter((version) => version !== NO_VERSION && version <= MAX_INT);
  return known.length === 0 ? [NO_VERSION] : known.toSorted((one, other) => one - other);
}
