/** How bad an incident is, mildest first (decisions 7). */
export const SEVERITIES = Object.freeze(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const);

export type Severity = (typeof SEVERITIES)[number];
