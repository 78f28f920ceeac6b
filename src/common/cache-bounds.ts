/** At most so many entries; `max` would reserve all of their places at once. */
export function entries(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
