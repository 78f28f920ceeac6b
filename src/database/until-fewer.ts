/** Repeats a step that handles `most` rows at a time, for as long as it finds that many; answers how many it handled. */
export async function untilFewer(most: number, step: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const count = await step();
    sum += count;
    if (count < most) return sum;
  }
}

/** Reads rows in their order, `most` at a time; `read` gives those after a row, and the first ones after none. */
export async function* inBatches<Row>(most: number, read: (after?: Row) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after: Row | undefined, size = most; size === most;) {
    const rows = await read(after);
    yield rows;
    after = rows.at(-1);
    size = rows.length;
  }
}
