import { createPrivateKey, createPublicKey, hash, hkdfSync, sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** That an entry stands at a position: what comes before it cannot be changed unnoticed any more. */
export interface Checkpoint {
  /** The audit trail: `organization/<id>` or `user/<id>`. */
  log: string;
  position: number;
  /** Of the entry at this position, in lower-case hexadecimal. */
  hash: string;
  /** When it was signed: ISO 8601 in UTC. */
  at: string;
}

export interface SignedCheckpoint extends Checkpoint {
  /** RFC 7638 thumbprint of the public key. */
  keyId: string;
  /** Ed25519 in base64url, over the canonical JSON of the checkpoint. */
  signature: string;
}

const PURPOSE = 'audit checkpoint';
/** A private Ed25519 key in PKCS#8 (RFC 8410) but for its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** Signs checkpoints with a key that is derived from the secret key (HKDF-SHA-256): each instance has the same. */
export class CheckpointKey {
  /** The public key as a JSON Web Key Set (RFC 7517, RFC 8037). */
  readonly keySet: object;
  private readonly id: string;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(secretKey: string) {
    const seed = Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSE, SEED_BYTES));
    this.privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = createPublicKey(this.privateKey);
    const { crv, kty, x } = this.publicKey.export({ format: 'jwk' });
    this.id = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
    this.keySet = { keys: [{ kty, crv, x, kid: this.id, alg: 'EdDSA', use: 'sig' }] };
  }

  sign(checkpoint: Checkpoint): SignedCheckpoint {
    const signature = sign(null, textOf(checkpoint), this.privateKey).toString('base64url');
    return { ...checkpoint, keyId: this.id, signature };
  }

  /** Signs a manifest, which is indented and can therefore not be taken for the canonical JSON of a checkpoint. */
  signManifest(text: string): Buffer {
    return sign(null, Buffer.from(text), this.privateKey);
  }

  /** Whether it was signed with this very key. */
  isSigned({ keyId, signature, ...checkpoint }: SignedCheckpoint): boolean {
    const bytes = Buffer.from(String(signature), 'base64url');
    return keyId === this.id && verify(null, textOf(checkpoint), this.publicKey, bytes);
  }
}

function textOf({ at, hash: ofEntry, log, position }: Checkpoint): Buffer {
  return Buffer.from(canonicalJson({ at, hash: ofEntry, log, position }));
}
