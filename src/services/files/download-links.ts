import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { Period } from './evidence-snapshot.js';

/** The auditor that an address was issued to, if it ends with an engagement. */
export interface AuditorKey {
  engagementId: number;
  userId: string;
}

/** Kinds of files with signed addresses. */
export type DownloadKind = 'documents' | 'attachments';

/** Signature of an address, and how long it is valid. */
export interface AddressSignature {
  /** The user that it was issued to: the user name, or the id for data about the user. */
  for: string;
  /** Unix seconds. */
  expires: number;
  signature: string;
}

export interface PackSignature extends AddressSignature, Period {
  /** Whether the archive names the users of the audit trail. */
  names: boolean;
}

export interface ProofSignature extends AddressSignature {
  asOf: Date;
  object: string | null;
}

type ProofParts = Omit<ProofSignature, 'signature' | 'expires'>;

type PackParts = Omit<PackSignature, 'signature' | 'expires'>;

/**
 * Download addresses: absolute, signed, of limited validity, and usable without a token, for example in a
 * browser. The signature covers the file and the expiry.
 */
export class DownloadLinks {
  constructor(
    private readonly publicUrl: string,
    private readonly secretKey: string,
    private readonly minutes: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** The absolute address of a file, valid for `DOWNLOAD_LINK_MINUTES`. */
  address(kind: DownloadKind, id: number, audit?: AuditorKey): string {
    const { query } = this.signed((expires) => fileText({ kind, id, audit }, expires));
    const made = audit === undefined ? '' : `engagement=${audit.engagementId}&for=${audit.userId}&`;
    return `${this.publicUrl}/api/v1/downloads/${kind}/${id}?${made}${query}`;
  }

  /** Whether the address has a valid signature and is not expired. */
  isGood(file: FileLink, expires: number, signature: string): boolean {
    return this.isValid(fileText(file, expires), expires, signature);
  }

  /** The address of an evidence pack, issued to the user that the archive names. */
  packAddress(key: OrganizationWorkflowKey, parts: PackParts): string {
    const { query } = this.signed((expires) => packText(key, { ...parts, expires }));
    const workflow = `organizations/${key.organizationId}/workflows/${encodeURIComponent(key.workflowId)}`;
    const said = [`for=${encodeURIComponent(parts.for)}`];
    for (const name of ['from', 'to'] as const) if (parts[name]) said.push(`${name}=${parts[name].toISOString()}`);
    said.push(`names=${parts.names}`, query);
    return `${this.publicUrl}/api/v1/v-ciso/${workflow}/evidence-pack?${said.join('&')}`;
  }

  /** Whether the address of a pack has a valid signature and is not expired. */
  isGoodPack(key: OrganizationWorkflowKey, { signature, ...said }: PackSignature): boolean {
    return this.isValid(packText(key, said), said.expires, signature);
  }

  /** The address of the proof of a day, issued to a user. */
  proofAddress(organizationId: number, parts: ProofParts): string {
    const { query } = this.signed((expires) => proofText(organizationId, { ...parts, expires }));
    const said = [`for=${encodeURIComponent(parts.for)}`, `as_of=${parts.asOf.toISOString()}`];
    if (parts.object !== null) said.push(`object=${encodeURIComponent(parts.object)}`);
    return `${this.publicUrl}/api/v1/organizations/${organizationId}/proof?${[...said, query].join('&')}`;
  }

  /** Whether such an address has a valid signature and is not expired. */
  isGoodProof(organizationId: number, { signature, ...said }: ProofSignature): boolean {
    return this.isValid(proofText(organizationId, said), said.expires, signature);
  }

  /** The address of the export of a user's data. */
  personalDataAddress(userId: string): { downloadUrl: string; expiresAt: Date } {
    const { expires, query } = this.signed((until) => personalDataText({ for: userId, expires: until }));
    const downloadUrl = `${this.publicUrl}/api/v1/profile/export?for=${userId}&${query}`;
    return { downloadUrl, expiresAt: new Date(expires * 1000) };
  }

  /** Whether such an address was issued to this user and is not expired. */
  isGoodPersonalData({ signature, ...said }: AddressSignature): boolean {
    return this.isValid(personalDataText(said), said.expires, signature);
  }

  private signed(text: (expires: number) => string): { expires: number; query: string } {
    const expires = Math.floor(this.now() / 1000) + this.minutes * 60;
    return { expires, query: `expires=${expires}&signature=${this.sign(text(expires))}` };
  }

  private isValid(text: string, expires: number, signature: string): boolean {
    if (!Number.isSafeInteger(expires) || expires * 1000 < this.now()) return false;
    const expected = Buffer.from(this.sign(text));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secretKey).update(text).digest('base64url');
  }
}

/** The file of an address, and the auditor that it was issued to. */
interface FileLink {
  kind: DownloadKind;
  id: number;
  audit?: AuditorKey | undefined;
}

function fileText({ kind, id, audit }: FileLink, expires: number): string {
  if (audit === undefined) return `download:${kind}:${id}:${expires}`;
  return `audit:${JSON.stringify([kind, id, expires, audit.engagementId, audit.userId])}`;
}

/** As JSON: names may contain any character, and delimiters must be unambiguous. */
function proofText(organizationId: number, { for: name, expires, asOf, object }: Omit<ProofSignature, 'signature'>) {
  return `proof:${JSON.stringify([organizationId, name, expires, asOf, object])}`;
}

function packText(key: OrganizationWorkflowKey, said: Omit<PackSignature, 'signature'>): string {
  const period = [said.from?.toISOString() ?? null, said.to?.toISOString() ?? null];
  return `evidence-pack:${JSON.stringify([key.organizationId, key.workflowId, said.for, said.expires, ...period, said.names])}`;
}

function personalDataText({ for: userId, expires }: Omit<AddressSignature, 'signature'>): string {
  return `personal-data:${JSON.stringify([userId, expires])}`;
}
