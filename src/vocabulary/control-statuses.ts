/** How far an organization has come with a control or task (decisions 9). NOT_APPLICABLE needs a justification. */
export const CONTROL_STATUSES = Object.freeze(['TO_DO', 'IN_PROGRESS', 'DONE', 'NOT_APPLICABLE'] as const);

export type ControlStatus = (typeof CONTROL_STATUSES)[number];
