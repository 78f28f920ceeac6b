/** Kinds of device configurations, each by its path segment (specification 2.6 and 2.7). */
export const DEVICE_KINDS = Object.freeze(['cloud-defender', 'atb'] as const);
