/** What a token may be used for (decisions 1). A scope narrows its user's role and never widens it. */
export const SCOPES = Object.freeze(['read', 'write', 'telemetry'] as const);

export type Scope = (typeof SCOPES)[number];
