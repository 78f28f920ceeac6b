import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../src/database/database.js';
import { FIRST_DATA_LIMITS } from '../../../src/database/time-limits.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { build, GatewayProcess, SECRET_KEY } from './gateway-process.js';

/** Database and folder of gateways that run as processes of their own, and a connection of the test to the database. */
export class Installation {
  private readonly started: GatewayProcess[] = [];

  private constructor(
    private readonly testDatabase: TestDatabase,
    /** A way to the database that no gateway shares. */
    readonly database: Database,
    readonly dataDir: string,
  ) {}

  /** `name` is what its folder's name begins with. */
  static async create(name: string): Promise<Installation> {
    await build();
    const testDatabase = await createTestDatabase();
    const database = await Database.open(testDatabase.url, 2, FIRST_DATA_LIMITS);
    return new Installation(testDatabase, database, await mkdtemp(join(tmpdir(), `${name}-`)));
  }

  get databaseUrl(): string {
    return this.testDatabase.url;
  }

  /** Where documents and attachments are kept. */
  get files(): string {
    return join(this.dataDir, 'files');
  }

  /** A gateway that is ready; `env` adds to the environment that each of them has. */
  async start(env: Record<string, string> = {}, nodeArguments?: readonly string[]): Promise<GatewayProcess> {
    const base = { DATABASE_URL: this.databaseUrl, SECRET_KEY, DATA_DIR: this.dataDir, LOG_LEVEL: 'warn' };
    const gateway = await GatewayProcess.ready({ ...base, ...env }, nodeArguments);
    this.started.push(gateway);
    return gateway;
  }

  /** Kills the gateways that still run. */
  async killAll(): Promise<void> {
    await Promise.all(this.started.splice(0).map((gateway) => gateway.end('SIGKILL')));
  }

  async clear(): Promise<void> {
    await this.killAll();
    await this.database.close();
    await this.testDatabase.drop();
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
