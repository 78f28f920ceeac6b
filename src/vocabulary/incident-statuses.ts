/** How far the handling of an incident has come (decisions 7). */
export const INCIDENT_STATUSES = Object.freeze(['OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED'] as const);

export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];
