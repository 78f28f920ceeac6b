/**
 * Costs of fields that take far longer than a value, of the 30,000 that one operation may cost. A figure is about the
 * number of plain fields that take as long. Resolvers declare them with `@Extensions({ cost })`.
 */
export const COSTS = Object.freeze({
  /** Looks through every text of all organizations of the caller. */
  search: 5_000,
  /** Reads a whole audit trail. */
  auditTrailVerification: 5_000,
  /** Reads a whole audit trail, and signs for it. */
  proof: 5_000,
  /** Works out what an organization was, for the address of a proof. */
  proofUrl: 100,
  /** Gathers a week of everything in an organization, and writes it out twice. */
  weeklyReportPreview: 3_000,
  /** Reads all controls and documents of a workflow, for each workflow. */
  oscalExport: 1_000,
  /** Reads and checks up to 2,000 controls. */
  workflowImport: 500,
  /** Reads up to 2,000 rows, and changes each in a transaction of its own. */
  tableImport: 5_000,
  /** Unpacks and stores up to 1,000 documents. */
  documentImport: 10_000,
  /** Invites up to 100 people, each in a transaction of its own. */
  manyInvitations: 2_000,
  /** Empties some forty tables, and fills them by as many use cases, while nothing else of the sandbox can be changed. */
  sandboxReset: 5_000,
  /** Reads up to 10,000 rows, and keeps them for a job. */
  importJob: 1_000,
  /** Stores up to 500 reports of devices, in one transaction. */
  manyReports: 1_000,
  /** Reads every document of a workflow, and signs for it. */
  evidencePack: 5_000,
  /** One statement for each workflow, up to 366 days. */
  progressHistory: 250,
  /** Reports of up to 90 days in buckets. */
  deviceSeries: 100,
  /** The state of each control of a workflow, whatever the page. */
  workflowControls: 50,
  workflowProgress: 10,
  /** Figures of all organizations of the caller, where they are the order. */
  portfolio: 500,
  /** Work that is due in all organizations of the caller. */
  work: 2_000,
  /** The begun controls of all workflows of an organization. */
  organizationProgress: 20,
  /** The attestations of all controls of an organization, compared with their evidence. */
  organizationAttestations: 20,
  /** The reports of all open incidents of an organization. */
  owedReports: 20,
  /** The evidence of each control that is done. */
  staleEvidence: 10,
  /** The newest attestation of a control, compared with its evidence. */
  attestation: 5,
  /** Looks at up to 20,000 entries of all organizations of the caller. */
  events: 100,
  /** Judges, reads and records by itself for each engagement. */
  engagementList: 100,
  /** A statement for each of up to 100 ids. */
  nodes: 100,
  /** Counts all that meet a filter. */
  count: 10,
});
