import type { ControlStatus } from './enums.js';

/** States of an attestation; derived, never stored. */
export type AttestationState = 'ATTESTED' | 'COUNTERSIGNED' | 'STALE' | 'WITHDRAWN' | 'SUPERSEDED';

/** A document version that counts as evidence of a control. */
export interface AttestedDocument {
  documentVersionId: number;
  /** The control that it was uploaded for. */
  workflowId: string;
  controlId: string;
  /** SHA-256 of its content, in lower-case hexadecimal. */
  sha256: string;
}

/** The evidence that a control is met, at one moment. */
export interface AttestedEvidence {
  /**
   * Null where the organization does not have the control: its workflow was dissociated, or an import has removed it.
   */
  status: ControlStatus | null;
  documents: readonly AttestedDocument[];
  /** Equivalent controls, whose documents count or would count. */
  equivalents: readonly { workflowId: string; controlId: string }[];
}

export type AttestationChangeKind =
  'CONTROL_REMOVED' | 'STATUS_CHANGED' | 'DOCUMENT_ADDED' | 'DOCUMENT_REMOVED' | 'MAPPING_ADDED' | 'MAPPING_REMOVED';

/** Differences of the evidence from that of an attestation. */
export interface AttestationChange {
  kind: AttestationChangeKind;
  /** The control of the document, or the mapped one; the control itself otherwise. */
  workflowId: string;
  controlId: string;
  /** For documents only. */
  documentVersionId: number | null;
  sha256: string | null;
}
