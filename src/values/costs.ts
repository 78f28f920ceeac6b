/**
 * Costs of expensive fields, of the 30,000 that one operation may cost: roughly the number of plain fields that take
 * as long. Resolvers declare them with `@Extensions({ cost })`.
 */
export const COSTS = Object.freeze({
  /** Searches every text of all organizations of the caller. */
  search: 5_000,
  /** Reads a whole audit trail. */
  auditTrailVerification: 5_000,
  /** Reads a whole audit trail, and signs a checkpoint. */
  proof: 5_000,
  /** Computes a past state of an organization, for the address of a proof. */
  proofUrl: 100,
  /** Collects a week of an organization's data, and renders it twice. */
  weeklyReportPreview: 3_000,
  /** Reads all controls and documents of a workflow, for each workflow. */
  oscalExport: 1_000,
  /** Reads and validates up to 2,000 controls. */
  workflowImport: 500,
  /** Reads up to 2,000 rows, and changes each in its own transaction. */
  tableImport: 5_000,
  /** Unpacks and stores up to 1,000 documents. */
  documentImport: 10_000,
  /** Invites up to 100 people, each in its own transaction. */
  manyInvitations: 2_000,
  /** Empties some forty tables and fills them with as many use cases, while the sandbox is locked. */
  sandboxReset: 5_000,
  /** Reads up to 10,000 rows, and stores them for a job. */
  importJob: 1_000,
  /** Stores up to 500 reports of devices, in one transaction. */
  manyReports: 1_000,
  /** Reads every document of a workflow, and signs a manifest. */
  evidencePack: 5_000,
  /** One statement for each workflow, up to 366 days. */
  progressHistory: 250,
  /** Reports of up to 90 days in buckets. */
  deviceSeries: 100,
  /** The state of each control of a workflow, whatever the page. */
  workflowControls: 50,
  workflowProgress: 10,
  /** Figures of all organizations of the caller, where they are sorted by them. */
  portfolio: 500,
  /** Due work in all organizations of the caller. */
  work: 2_000,
  /** Started controls of all workflows of an organization. */
  organizationProgress: 20,
  /** The attestations of all controls of an organization, compared with their evidence. */
  organizationAttestations: 20,
  /** The reports of all open incidents of an organization. */
  owedReports: 20,
  /** The evidence of each control that is done. */
  staleEvidence: 10,
  /** The newest attestation of a control, compared with its evidence. */
  attestation: 5,
  /** Scans up to 20,000 entries of all organizations of the caller. */
  events: 100,
  /** Authorizes, reads and records each engagement separately. */
  engagementList: 100,
  /** A statement for each of up to 100 ids. */
  nodes: 100,
  /** Counts all matches of a filter. */
  count: 10,
});
