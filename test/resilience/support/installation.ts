import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../src/database/database.js';
import { FIRST_DATA_LIMITS } from '../../../src/database/time-limits.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { build, GatewayProcess, SECRET_KEY } from './gateway-process.js';

/** Database and folder of gateways in separate processes, and a connection of the test to the database. */
export class Installation {
  private readonly started: GatewayProcess[] = [];

  private constructor(
    private readonly testDatabase: TestDatabase,
    /** A connection to the database that no gateway shares. */
    readonly database: Database,
    readonly dataDir: string,
  ) {}

  /** `name` is the prefix of its folder's name. */
  static async create(name: string): Promise<Installation> {
    await build();
    const testDatabase = await createTestDatabase();
    const database = await Database.open(testDatabase.url, 2, FIRST_DATA_LIMITS);
    return new Installation(testDatabase, database, await mkdtemp(join(tmpdir(), `${name}-`)));
  }

  get databaseUrl(): string {
    return this.testDatabase.url;
  }

  /** Folder of documents and attachments. */
  get files(): string {
    return join(this.dataDir, 'files');
  }

  /** A ready gateway; `env` extends the common environment. */
  async start(env: Record<string, string> = {}, nodeArguments?: readonly string[]): Promise<GatewayProcess> {
    const base = { DATABASE_URL: this.databaseUrl, SECRET_KEY, DATA_DIR: this.dataDir, LOG_LEVEL: 'warn' };
    const gateway = await GatewayProcess.ready({ ...base, ...env }, nodeArguments);
    this.started.push(gateway);
    return gateway;
  }

  /** Kills the running gateways. */
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
