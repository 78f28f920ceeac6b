import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { GATEWAY_NODE_ARGUMENTS } from '../../../bench/servers.js';
import type { DemoFacts } from '../../../src/demo/demo.js';
import { startEmbeddedPostgres, type EmbeddedDatabase } from '../../../src/database/embedded-postgres.js';
import { build, GatewayProcess, ROOT, SECRET_KEY } from '../../resilience/support/gateway-process.js';
import { Installation } from '../../resilience/support/installation.js';
import type { Report } from './report.js';

const BASE = { METRICS_PUBLIC: '1', DEMO: '0', NODE_ENV: 'production' };

/** Settings for scenarios that exceed every rate limit and have another subject. */
const WITHOUT_RATE_LIMITS = {
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_LIMIT_UPLOADS: 'off',
  RATE_LIMIT_SEARCHES: 'off',
  RATE_LIMIT_GRAPHQL: 'off',
  RATE_LIMIT_FAILED_AUTHENTICATION: 'off',
  CONCURRENT_UPLOADS: 'off',
  CONCURRENT_SEARCHES: 'off',
  CONCURRENT_PACKS: 'off',
};
const TEMPLATE = 'attack_template';
const SEED = 'seed';

/** One PostgreSQL server for all scenarios, and their initial demo data. */
export class Campaign {
  private current: Installation | undefined;

  private constructor(
    private readonly directory: string,
    private readonly postgres: EmbeddedDatabase,
    private readonly facts: DemoFacts,
  ) {}

  static async open(): Promise<Campaign> {
    await build();
    const directory = await mkdtemp(join(tmpdir(), 'gateway-attack-'));
    const postgres = await startEmbeddedPostgres({
      dataDir: join(directory, 'postgres'),
      durable: false,
      maxConnections: 200,
    });
    try {
      return new Campaign(directory, postgres, await seed(postgres.url, join(directory, SEED)));
    } catch (error) {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  }

  /** Runs a scenario on a separate database and folder, and removes both. */
  async run(name: string, scenario: Scenario, report: Report, options: Options): Promise<void> {
    const installation = await Installation.create(`attack-${name}`);
    this.current = installation;
    try {
      await cp(join(this.directory, SEED), installation.dataDir, { recursive: true });
      await adopt(installation);
      await scenario(new Testbed(installation, this.facts, report, options));
    } finally {
      this.current = undefined;
      await installation.clear();
    }
  }

  async close(): Promise<void> {
    await this.current?.killAll();
    await this.postgres.stop();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Creates the template of all databases, and its files, by a gateway that seeds its demo data. */
async function seed(adminUrl: string, dataDir: string): Promise<DemoFacts> {
  // The support code of tests takes the server and the template from here.
  process.env['TEST_ADMIN_URL'] = adminUrl;
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${TEMPLATE}`;
  const env = { ...BASE, DATABASE_URL: url.href, SECRET_KEY, DATA_DIR: dataDir, DEMO: '1', JOBS: '0' };
  await (await GatewayProcess.ready(env, GATEWAY_NODE_ARGUMENTS)).end();
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFacts;
}

/** Database and files are copies, as after a restore, and must be declared as belonging together. */
async function adopt({ databaseUrl, dataDir }: Installation): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRET_KEY };
  await promisify(execFile)(process.execPath, [join(ROOT, 'dist/main.js'), 'storage', '--adopt'], { env });
}

export interface Options {
  /** Reduced numbers: for a quick check, without a reliable result. */
  quick: boolean;
  /** Seed and number of the generated requests. */
  seed: number;
  requests: number;
  /** Output file for generated requests with findings and their responses; standard error when undefined. */
  findings: string | undefined;
}

export type Scenario = (testbed: Testbed) => Promise<void>;

/** The resources of a scenario. */
export class Testbed {
  constructor(
    readonly installation: Installation,
    readonly facts: DemoFacts,
    readonly report: Report,
    readonly options: Options,
  ) {}

  get quick(): boolean {
    return this.options.quick;
  }

  /** A ready gateway on a free port, without rate limits; it ends with the scenario. */
  start = (env: Record<string, string> = {}): Promise<GatewayProcess> =>
    this.startLimited({ ...WITHOUT_RATE_LIMITS, ...env });

  /** The same with the default limits. */
  startLimited = (env: Record<string, string> = {}): Promise<GatewayProcess> =>
    this.installation.start({ ...BASE, ...env }, GATEWAY_NODE_ARGUMENTS);

  /** A number of repetitions; a quarter of it in a quick run. */
  count = (full: number): number => {
    return this.quick ? Math.ceil(full / 4) : full;
  };
}
