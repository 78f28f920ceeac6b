import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  hkdfSync,
  sign,
  timingSafeEqual,
  verify,
  type KeyObject,
} from 'node:crypto';
import { canonicalJson } from './personal-values.js';
import type { Checkpoint, SealedHead, SignedCheckpoint } from './trails.js';

const [CHECKPOINTS, SEALS] = ['audit checkpoint', 'audit seal'];
/** A private Ed25519 key in PKCS#8 (RFC 8410) but for its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** Keys derived from a secret key (HKDF-SHA-256): the same on each instance, and not in the database. */
class TrailKeys {
  readonly id: string;
  readonly jwk: object;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  private readonly sealing: KeyObject;

  constructor(secretKey: string) {
    const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', purpose, KEY_BYTES));
    this.privateKey = createPrivateKey({
      key: Buffer.concat([PKCS8, keyFor(CHECKPOINTS)]),
      format: 'der',
      type: 'pkcs8',
    });
    this.publicKey = createPublicKey(this.privateKey);
    const { crv, kty, x } = this.publicKey.export({ format: 'jwk' });
    this.id = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
    this.jwk = { kty, crv, x, kid: this.id, alg: 'EdDSA', use: 'sig' };
    this.sealing = createSecretKey(keyFor(SEALS));
  }

  macOf(text: string): Buffer {
    return createHmac('sha256', this.sealing).update(text).digest();
  }
}

/** Signs checkpoints and seals trails. Signatures and seals of earlier secret keys remain valid. */
export class CheckpointKey {
  /** The public keys as a JSON Web Key Set (RFC 7517, RFC 8037), the newest first. */
  readonly keySet: object;
  /** Their ids, in the same order. */
  readonly ids: readonly string[];
  private readonly newest: TrailKeys;
  private readonly all: readonly TrailKeys[];

  constructor(secretKey: string, earlier: readonly string[] = []) {
    this.newest = new TrailKeys(secretKey);
    this.all = [this.newest, ...earlier.map((key) => new TrailKeys(key))];
    this.keySet = { keys: this.all.map(({ jwk }) => jwk) };
    this.ids = this.all.map(({ id }) => id);
  }

  /** Whether it is the id of one of these keys. */
  knows(keyId: string): boolean {
    return this.ids.includes(keyId);
  }

  sign(checkpoint: Checkpoint): SignedCheckpoint {
    const { id: keyId, privateKey } = this.newest;
    const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url');
    const chained = checkpoint.previous !== undefined && { chainSignature: signed(chainedText(checkpoint)) };
    return { ...checkpoint, ...chained, keyId, signature: signed(signedText(checkpoint)) };
  }

  /** Signs a manifest, which is indented and therefore differs from the canonical JSON of a checkpoint. */
  signManifest(text: string): Buffer {
    return sign(null, Buffer.from(text), this.newest.privateKey);
  }

  /** Whether it was signed with one of these keys. */
  isSigned({ keyId, signature, chainSignature, ...checkpoint }: SignedCheckpoint): boolean {
    const key = this.all.find(({ id }) => id === keyId);
    const isBy = (text: string, given: unknown) =>
      key !== undefined && verify(null, Buffer.from(text), key.publicKey, Buffer.from(String(given), 'base64url'));
    const isChained = checkpoint.previous !== undefined;
    return isBy(signedText(checkpoint), signature) && (!isChained || isBy(chainedText(checkpoint), chainSignature));
  }

  macOf(head: SealedHead): Buffer {
    return this.macOfText(sealedText(head));
  }

  /** Whether it was sealed with one of these keys. */
  isSealed(head: SealedHead, mac: Buffer): boolean {
    return this.isMac(sealedText(head), mac);
  }

  /** The MAC of a text that names its purpose. */
  macOfText(text: string): Buffer {
    return this.newest.macOf(text);
  }

  isMac(text: string, mac: Buffer): boolean {
    return this.all.some((key) => {
      const expected = key.macOf(text);
      return expected.length === mac.length && timingSafeEqual(expected, mac);
    });
  }
}

/** The text of `signature`: enough for the holder of a single checkpoint. */
function signedText({ at, hash: ofEntry, log, position }: Checkpoint): string {
  return canonicalJson({ at, hash: ofEntry, log, position });
}

/** The text of `chainSignature`, with the number among the checkpoints of the trail. */
function chainedText({ at, hash: ofEntry, log, number, position, previous }: Checkpoint): string {
  return canonicalJson({ at, hash: ofEntry, log, number, position, previous });
}

/** Digest of the checkpoints of a trail up to this one. */
export function digestWith(before: Buffer, checkpoint: Checkpoint): Buffer {
  const text = checkpoint.previous === undefined ? signedText(checkpoint) : chainedText(checkpoint);
  return hash('sha256', Buffer.concat([before, Buffer.from(text)]), 'buffer');
}

function sealedText({ log, position, hash: ofEntry, checkpoints, digest }: SealedHead): string {
  return JSON.stringify([log, position, ofEntry.toString('hex'), checkpoints, digest.toString('hex')]);
}
