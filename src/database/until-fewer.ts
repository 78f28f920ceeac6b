/** Repeats a step that handles `most` rows at a time, for as long as it finds that many; answers how many it handled. */
export async function untilFewer(most: number, step: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const count = await step();
    sum += count;
    if (count < most) return sum;
  }
}

/** Reads rows in the order of their ids, `most` at a time; `read` gives those after an id. */
export async function* inBatches<Row extends { id: number }>(
  most: number,
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0, size = most; size === most;) {
    const rows = await read(after);
    yield rows;
    after = rows.at(-1)?.id ?? 0;
    size = rows.length;
  }
}
