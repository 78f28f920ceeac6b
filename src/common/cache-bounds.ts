/** A bound of entries; `max` would reserve all of them at once. */
export function entries(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
