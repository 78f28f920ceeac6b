import type { ControlStatus } from './enums.js';

/** States of an attestation; derived, never stored. */
export type AttestationState = 'ATTESTED' | 'COUNTERSIGNED' | 'STALE' | 'WITHDRAWN' | 'SUPERSEDED';

/** A document version that counted for a control. */
export interface AttestedDocument {
  documentVersionId: number;
  /** The control that it is stored for. */
  workflowId: string;
  controlId: string;
  /** Of its content, lower-case hexadecimal. */
  sha256: string;
}

/** The evidence that a control is met, at one moment. */
export interface AttestedEvidence {
  /** Null where the organization has no such control: its workflow is dissociated, or an import has taken it away. */
  status: ControlStatus | null;
  documents: readonly AttestedDocument[];
  /** Equivalent controls, whose documents count or would count. */
  equivalents: readonly { workflowId: string; controlId: string }[];
}

export type AttestationChangeKind =
  'CONTROL_REMOVED' | 'STATUS_CHANGED' | 'DOCUMENT_ADDED' | 'DOCUMENT_REMOVED' | 'MAPPING_ADDED' | 'MAPPING_REMOVED';

/** In what the evidence differs from that of an attestation. */
export interface AttestationChange {
  kind: AttestationChangeKind;
  /** The control that the document is stored for or that was mapped; the control itself otherwise. */
  workflowId: string;
  controlId: string;
  /** Of documents alone. */
  documentVersionId: number | null;
  sha256: string | null;
}
