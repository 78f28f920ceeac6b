import { withBuilds, type Build } from './builds.js';
import { median } from './comparison.js';
import type { LoadProcess } from './load-process.js';
import type { Options } from './options.js';
import { ORGANIZATION_BODY } from './organization-body.js';
import { postgresCpu } from './postgres-cpu.js';
import { headers, type LoadRequest } from './requests.js';
import { untilSealed } from './sealed.js';
import type { Surroundings } from './servers.js';

/** Result of a build while organizations were created as fast as it went. */
export interface RushResult {
  build: string;
  answeredPerSecond: number;
  /** Until the trail of the last one is sealed. */
  donePerSecond: number;
  /** Microseconds of processor time for each. */
  cpu: number;
  postgresCpu: number | undefined;
}

type Sample = Omit<RushResult, 'build'>;

const CREATIONS = 12_000;
const WARM_UP = 4_000;
const CONNECTIONS = 32;

/** Organizations are created through REST until more wait to be sealed than a moment clears; builds take turns. */
export function measureRush(
  { base, rounds, haste }: Pick<Options, 'base' | 'rounds' | 'haste'>,
  surroundings: Omit<Surroundings, 'facts'>,
  { load, postmaster }: { load: LoadProcess; postmaster: number },
): Promise<RushResult[]> {
  const run = async (build: Build, requests: number): Promise<Sample> => {
    const { gateway, databaseUrl, facts } = build;
    const request: LoadRequest = {
      ...{ method: 'POST', paths: ['/api/v1/organizations'], status: 201 },
      ...{ headers: headers(facts.writerToken), body: JSON.stringify(ORGANIZATION_BODY) },
    };
    const [cpu, ofPostgres] = [await gateway.cpu(), await postgresCpu(postmaster)];
    const since = performance.now();
    const done = await load.run({ port: gateway.port, connections: CONNECTIONS, requests, maxSeconds: 120, request });
    await untilSealed(databaseUrl);
    const seconds = (performance.now() - since) / 1000;
    const ofPostgresNow = await postgresCpu(postmaster);
    return {
      answeredPerSecond: done.requests / done.seconds,
      donePerSecond: done.requests / seconds,
      cpu: ((await gateway.cpu()) - cpu) / done.requests,
      postgresCpu:
        ofPostgres === undefined || ofPostgresNow === undefined
          ? undefined
          : (ofPostgresNow - ofPostgres) / done.requests,
    };
  };
  return withBuilds('rush', base, surroundings, async (builds) => {
    const samples = builds.map((build) => ({ build, taken: [] as Sample[] }));
    for (const build of builds) await run(build, Math.ceil(WARM_UP / haste));
    for (let round = 0; round < rounds; round += 1)
      for (const { build, taken } of samples) taken.push(await run(build, Math.ceil(CREATIONS / haste)));
    return samples.map(({ build, taken }) => {
      const ofPostgres = taken.flatMap((each) => each.postgresCpu ?? []);
      return {
        build: build.name,
        answeredPerSecond: median(taken.map((each) => each.answeredPerSecond)),
        donePerSecond: median(taken.map((each) => each.donePerSecond)),
        cpu: median(taken.map((each) => each.cpu)),
        postgresCpu: ofPostgres.length === taken.length ? median(ofPostgres) : undefined,
      };
    });
  });
}
