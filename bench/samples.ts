/** Samples of each of `all`, which take turns in every round. */
export async function inTurns<Each, Sample>(
  rounds: number,
  all: readonly Each[],
  sample: (each: Each) => Promise<Sample>,
): Promise<{ each: Each; taken: Sample[] }[]> {
  const samples = all.map((each) => ({ each, taken: [] as Sample[] }));
  for (let round = 0; round < rounds; round += 1) for (const { each, taken } of samples) taken.push(await sample(each));
  return samples;
}

/** The median of each figure; undefined where the samples do not have it. */
export function medians<Figures extends { [Name in keyof Figures]: number | undefined }>(
  samples: readonly Figures[],
): Figures {
  const names = Object.keys(samples[0]!) as (keyof Figures)[];
  return Object.fromEntries(
    names.map((name) => [name, median(samples.flatMap((each) => each[name] ?? []))]),
  ) as Figures;
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const [before, after] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return before === undefined || after === undefined ? undefined : (before + after) / 2;
}
