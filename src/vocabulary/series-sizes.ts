/** How long the buckets of a device's series are, in UTC. */
export const SERIES_SIZES = Object.freeze(['HOUR', 'DAY'] as const);

export type SeriesSize = (typeof SERIES_SIZES)[number];
