const MEBIBYTE = 1024 * 1024;

/** Limits of workflows, their evidence, incidents and audits. "Ours" is explained in limits.ts. */
export const EVIDENCE_LIMITS = {
  document: Object.freeze({
    /** Bytes of decoded content, inclusive (specification 8). */
    maxBytes: 10 * MEBIBYTE,
    /** Newest versions that are stored for each artifact (specification 8). */
    versionsKept: 10,
    /** Minutes that a download address stays valid unless configured otherwise. */
    downloadLinkMinutes: 15,
    /** Ours, characters of the note of a version. */
    noteCharacters: 2_000,
    /** Ours: how many days before its last one evidence is about to expire. */
    expiringDays: 30,
  }),
  attachment: Object.freeze({
    /** Bytes of one incident attachment, inclusive. */
    maxBytes: 25 * MEBIBYTE,
  }),
  control: Object.freeze({
    /** Ours, characters. */
    justificationCharacters: 2_000,
    noteCharacters: 5_000,
    /** Ours, months between two reviews of the evidence. */
    maxReviewIntervalMonths: 120,
    /** Ours: controls that one call may change. */
    changedAtOnce: 200,
  }),
  attestation: Object.freeze({
    /** Ours, characters of a statement, and of the reason of a withdrawal. */
    statementCharacters: 2_000,
    /** Ours: changes that a stale attestation names. */
    changes: 50,
  }),
  progress: Object.freeze({
    /** Ours, days of a history: the default, and at most. */
    defaultDays: 90,
    maxDays: 366,
  }),
  workflowImport: Object.freeze({
    /** As in catalog/workflow.schema.json, including headings. */
    controls: 2_000,
    /** Ours, bytes of the text. */
    maxBytes: 1 * MEBIBYTE,
    /** Ours, bytes of OSCAL or of a library, most of which is not stored. */
    maxCatalogBytes: 5 * MEBIBYTE,
    /** Ours, of SHA-256 in hexadecimal. */
    digestCharacters: 64,
    /** Ours, stored imports of one organization. */
    perOrganization: 50,
    /** Ours, pairs of controls by all shipped mappings, and by all of an organization, inherited ones included. */
    mappedPairs: 20_000,
  }),
  engagement: Object.freeze({
    /** Ours: engagements of one organization that have not ended, and workflows of one of them. */
    perOrganization: 20,
    workflows: 20,
    /** Ours, characters of a name; of a request, an answer and a statement. */
    nameCharacters: 200,
    textCharacters: 2_000,
    /** Ours: days from now until it ends, at most. */
    maxDays: 730,
    /** Ours: auditors of one engagement; requests, and sign-offs, of one. */
    auditors: 50,
    requests: 1_000,
  }),
  incident: Object.freeze({
    /** Ours: hours before the deadline from which on a report is due soon, by its period. */
    dayReminderHours: 6,
    daysReminderHours: 24,
    monthReminderHours: 7 * 24,
    /** Ours: the factor by which periods of a rehearsal are shorter. */
    rehearsalSpeed: 60,
    /** Ours, characters. */
    titleCharacters: 200,
    lineCharacters: 200,
    descriptionCharacters: 10_000,
    noteCharacters: 10_000,
    reasonCharacters: 1_000,
    /** Ours, pages of a PDF draft: longer ones are mostly blank. */
    draftPages: 500,
  }),
  portfolio: Object.freeze({
    /** Ours, organizations of one page: consultants look after more than a hundred. */
    maxPageSize: 200,
    /** Ours, open incidents of each organization whose reports are read. */
    incidents: 50,
    /** Ours, controls of all organizations that are sorted. */
    controls: 1_000,
  }),
} as const;
