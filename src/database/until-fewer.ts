/** Repeats a step that handles `most` rows at a time, for as long as it finds that many; answers how many it handled. */
export async function untilFewer(most: number, step: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const count = await step();
    sum += count;
    if (count < most) return sum;
  }
}
