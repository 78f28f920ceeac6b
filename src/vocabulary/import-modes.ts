/** What an organization may bring along (decisions 9): a workflow of its own, or official titles for one of ours. */
export const IMPORT_MODES = Object.freeze(['WORKFLOW', 'TITLES'] as const);

export type ImportMode = (typeof IMPORT_MODES)[number];
