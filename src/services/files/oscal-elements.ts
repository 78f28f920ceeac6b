import { hash } from 'node:crypto';
import type { ControlStatus } from '../../values/enums.js';
import { leavesOf } from '../workflows/catalog.js';
import type { CatalogControl } from '../workflows/catalog-file.js';
import type { ListedAttestation } from '../workflows/attestation-states.js';
import type { ControlEvidence, EvidenceDocument, EvidenceSnapshot } from './evidence-snapshot.js';

/** The content that a document is made from. */
export interface OscalSource {
  /** Address of the workflow of the organization, the prefix of all identifying addresses in the document. */
  address: string;
  /** Address of the organization's document versions. */
  documents: string;
  snapshot: EvidenceSnapshot;
  evidence: ControlEvidence;
  /** By control. */
  attestations: ReadonlyMap<string, ListedAttestation>;
}

/** Names of the gateway's properties are in its own name space, as OSCAL requires. */
export const NAME_SPACE = 'urn:compliance-gateway:oscal';

/** OSCAL has two states of an objective; the state of the implementation is more detailed. */
const STATES: Readonly<
  Record<ControlStatus, { words: string; state: string; reason: string; implementation: string }>
> = {
  DONE: { words: 'done', state: 'satisfied', reason: 'pass', implementation: 'implemented' },
  IN_PROGRESS: { words: 'in progress', state: 'not-satisfied', reason: 'fail', implementation: 'partial' },
  TO_DO: { words: 'to do', state: 'not-satisfied', reason: 'fail', implementation: 'planned' },
  NOT_APPLICABLE: {
    ...{ words: 'not applicable', state: 'not-satisfied', reason: 'other', implementation: 'not-applicable' },
  },
};

export function stateOf({ snapshot }: OscalSource, { id }: CatalogControl) {
  const { status, justification = '' } = snapshot.states.get(id) ?? { status: 'TO_DO' as const };
  return { ...STATES[status], ...(justification !== '' && { remarks: justification }) };
}

/** The attestation of a control unless withdrawn. */
export function attestationsOf({ attestations }: OscalSource, { id }: CatalogControl): ListedAttestation[] {
  return [attestations.get(id) ?? []].flat();
}

/** Roles of the author and the countersigner of an attestation, in this order. */
export const SIGNATORIES = [
  { id: 'attester', title: 'Owner of the control, who attests that it is in place' },
  { id: 'countersigner', title: 'Person who countersigns the attestation' },
];

export function attestationUuid({ address }: OscalSource, { id }: ListedAttestation): string {
  return uuidOf(`${address}/attestations/${id}`);
}

export function personUuid({ documents }: OscalSource, username: string): string {
  return uuidOf(`${documents}#person/${username}`);
}

/** Headings group controls and are assessed with them. */
export function assessedControls({ snapshot: { workflow } }: OscalSource): readonly CatalogControl[] {
  const leaves = leavesOf(workflow);
  return workflow.controls.filter(({ id }) => leaves.has(id));
}

/** Documents of a control, and those that count by a mapping, each once. */
export function documentsOf({ evidence }: OscalSource, controlId: string): EvidenceDocument[] {
  const { own, mapped } = evidence(controlId);
  return [...new Set([...own, ...mapped])];
}

/** OSCAL's ids begin with a letter or an underscore. */
export function tokenOf(controlId: string): string {
  return /^[\p{L}_]/u.test(controlId) ? controlId : `_${controlId}`;
}

export function idProperty({ id }: CatalogControl): object {
  return { name: 'control-id', ns: NAME_SPACE, value: id };
}

export function titleOf({ id, label }: CatalogControl): string {
  return `${id} ${label}`;
}

export function partyUuid({ documents }: OscalSource): string {
  return uuidOf(`${documents}#organization`);
}

export function documentUuid({ documents }: OscalSource, { id }: EvidenceDocument, part = ''): string {
  return uuidOf(`${documents}/${id}${part}`);
}

/** The name space of addresses (RFC 9562, section 6.6). */
const ADDRESSES = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** UUID of an address, version 5 (RFC 9562, section 5.5): the same address has the same one in every export. */
export function uuidOf(address: string): string {
  const bytes = hash('sha1', Buffer.concat([ADDRESSES, Buffer.from(address)]), 'buffer');
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
