/** Where an organization's systems run (specification 2.2). */
export const INFRASTRUCTURES = Object.freeze(['cloud', 'on-prem', 'hybrid'] as const);

export type Infrastructure = (typeof INFRASTRUCTURES)[number];
