import { withBuilds, type Build } from './builds.js';
import { costOf, type Cost } from './cost.js';
import type { LoadProcess } from './load-process.js';
import type { Options } from './options.js';
import { organizationCreation } from './organization-body.js';
import { inTurns, medians } from './samples.js';
import { untilSealed } from './sealed.js';
import type { Surroundings } from './servers.js';

/** Result of a build that created organizations as fast as possible. */
export interface RushResult extends Cost {
  build: string;
  answeredPerSecond: number;
  /** Organizations per second until the trail of the last one is sealed. */
  donePerSecond: number;
}

type Sample = Omit<RushResult, 'build'>;

const CREATIONS = 12_000;
const WARM_UP = 4_000;
const CONNECTIONS = 32;

/** Creates organizations through REST until more wait to be sealed than one run seals; builds take turns. */
export function measureRush(
  { base, rounds, haste }: Pick<Options, 'base' | 'rounds' | 'haste'>,
  surroundings: Omit<Surroundings, 'facts'>,
  { load, postmaster }: { load: LoadProcess; postmaster: number },
): Promise<RushResult[]> {
  const run = async (build: Build, requests: number): Promise<Sample> => {
    const { gateway, databaseUrl, facts } = build;
    const request = organizationCreation(facts.writerToken);
    const { done, cost } = await costOf(gateway, postmaster, async () => {
      const since = performance.now();
      const job = { port: gateway.port, connections: CONNECTIONS, requests, maxSeconds: 120, request };
      const driven = await load.run(job);
      await untilSealed(databaseUrl);
      return { ...driven, allSeconds: (performance.now() - since) / 1000 };
    });
    return {
      answeredPerSecond: done.requests / done.seconds,
      donePerSecond: done.requests / done.allSeconds,
      ...cost,
    };
  };
  return withBuilds('rush', base, surroundings, async (builds) => {
    for (const build of builds) await run(build, Math.ceil(WARM_UP / haste));
    const samples = await inTurns(rounds, builds, (build) => run(build, Math.ceil(CREATIONS / haste)));
    return samples.map(({ each: { name: build }, taken }) => ({ build, ...medians(taken) }));
  });
}
