import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { UserCaller } from '../../auth/caller.js';
import { networkKey } from '../../auth/rate-limits.js';
import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES } from '../../common/aes-gcm.js';
import { db, statement } from '../../database/sql.js';

/**
 * Personal data, such as a name or an address. Trails have it encrypted under that person's key: they still verify
 * after the person was erased, which only deletes the key.
 */
export class PersonalValue {
  constructor(
    readonly userId: string,
    readonly value: string,
  ) {}
}

/** The name of the user who acted. */
export function nameOf({ userId, username }: Pick<UserCaller, 'userId' | 'username'>): PersonalValue {
  return new PersonalValue(userId, username);
}

/** A personal value in a trail: AES-256-GCM in base64url, nonce first and tag last; null without a key. */
export interface SealedValue {
  person: string;
  sealed: string | null;
}

export function isSealed(value: object): value is SealedValue {
  return 'person' in value && 'sealed' in value;
}

/** Users with the keys of their personal values; the key of an erased user is null. */
export const personsBy = statement<{ ids: readonly string[] }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id', 'username', 'personal_key as key'])
    .where('id', '=', ({ fn }) => fn.any(p('ids'))),
);

/**
 * Encrypts the value. A repetition of the last value under the key reuses its ciphertext, because encrypting the same
 * client address for each entry takes a twentieth of a small change. Without the key, entries then show that the
 * value was the same.
 */
export function seal({ userId, value }: PersonalValue, key: Buffer | null | undefined): SealedValue {
  if (key == null) return { person: userId, sealed: null };
  const known = sealing.get(key);
  if (known?.value === value) return known.sealed;
  const object = known?.object ?? createSecretKey(key);
  const bytes = encrypt(object, value, undefined, nextNonce());
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
  const tagLast = Buffer.concat([nonce, bytes.subarray(NONCE_BYTES + TAG_BYTES), tag]);
  const sealed = { person: userId, sealed: tagLast.toString('base64url') };
  sealing.set(key, { object, value, sealed });
  return sealed;
}

/** Collected with the buffer, which belongs to the cached token. */
const sealing = new WeakMap<Buffer, { object: KeyObject; value: string; sealed: SealedValue }>();

let nonces = Buffer.alloc(0);

/** Nonces are generated in bulk, which costs as much as generating one. */
function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * 256);
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

/** Undefined when the person was erased, or the value was not sealed under this key. */
export function unseal({ sealed }: SealedValue, key: Buffer | null | undefined): string | undefined {
  if (key == null || sealed === null) return undefined;
  const bytes = Buffer.from(sealed, 'base64url');
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
  try {
    return decrypt(key, Buffer.concat([nonce, tag, bytes.subarray(NONCE_BYTES, -TAG_BYTES)]));
  } catch {
    return undefined;
  }
}

/** The network of an unknown person: there is no key to encrypt the address under, and nothing to erase. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, '');
  if (isIPv4(plain)) return plain.replace(/\d+$/, '0/24');
  return `${networkKey(plain).split(':', 3).join(':')}::/48`;
}

/** Keys of persons, by user id; null after a person was erased. */
export type PersonalKeys = ReadonlyMap<string, Buffer | null>;

const NO_KEYS: PersonalKeys = new Map();

/**
 * Canonical JSON (RFC 8785) in one pass: keys in the order of their UTF-16 code units, instants as text, personal
 * values sealed. Strings are made well-formed, because PostgreSQL refuses others.
 */
export function canonicalJson(value: NonNullable<unknown>, keys: PersonalKeys = NO_KEYS): string {
  return textOf(value, keys) as string;
}

/** Undefined for values that JSON does not have, as for `JSON.stringify`. */
function textOf(value: unknown, keys: PersonalKeys): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (value === null || typeof value !== 'object' || value instanceof Date) return JSON.stringify(value);
  if (value instanceof PersonalValue) return textOf(seal(value, keys.get(value.userId)), keys);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, keys) ?? 'null').join()}]`;
  const record = value as Readonly<Record<string, unknown>>;
  let members = '';
  for (const name of Object.keys(record).sort()) {
    const below = record[name];
    const member = below === undefined ? undefined : textOf(below, keys);
    if (member !== undefined) members += `${members && ','}${textOfName(name)}:${member}`;
  }
  return `{${members}}`;
}

/** Field names repeat in each entry; names within a client's JSON are unbounded. */
const names = new Map<string, string>();
const KEPT_NAMES = 1_000;

function textOfName(name: string): string {
  let text = names.get(name);
  if (text === undefined) {
    if (names.size >= KEPT_NAMES) names.clear();
    names.set(name, (text = JSON.stringify(name.toWellFormed())));
  }
  return text;
}
