import { AsyncLocalStorage } from 'node:async_hooks';

/** Counts the rows that steps of the present work have handled, which is known also if the work fails afterwards. */
export const handled = new AsyncLocalStorage<{ rows: number }>();

/** Repeats a step that handles up to `most` rows until it handles fewer; returns how many it handled. */
export async function untilFewer(most: number, step: () => Promise<number>): Promise<number> {
  let sum = 0;
  const tally = handled.getStore();
  for (;;) {
    const count = await step();
    sum += count;
    if (tally !== undefined) tally.rows += count;
    if (count < most) return sum;
  }
}

/** Reads rows in order, up to `most` at a time; `read` returns those after a row, or the first ones. */
export async function* inBatches<Row>(most: number, read: (after?: Row) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after: Row | undefined, size = most; size === most;) {
    const rows = await read(after);
    yield rows;
    after = rows.at(-1);
    size = rows.length;
  }
}
