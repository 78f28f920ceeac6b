import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCluster } from '../../src/database/embedded/cluster.js';
import { chooseAccount } from '../../src/database/embedded/server-account.js';
import { preparePrograms, spawnWatched, type WatchedProcess } from '../../src/database/embedded/postgres-programs.js';
import { startEmbeddedPostgres, type EmbeddedDatabase } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { overNetwork } from './database.js';

/** A separate server with a migrated database, and a standby that follows it. */
export class ReplicatedDatabase {
  private standby: WatchedProcess | undefined;
  private unwatched: WatchedProcess | undefined;

  private constructor(
    private readonly folder: string,
    readonly primary: Pick<EmbeddedDatabase, 'url' | 'stop'>,
    /** Address of the standby. */
    readonly url: string,
  ) {}

  /** The standby is not started yet. */
  static async create(): Promise<ReplicatedDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'replicated-'));
    const dataDir = join(folder, 'primary');
    const first = await startEmbeddedPostgres({ dataDir });
    await migrate(first.url);
    await first.stop();
    await cp(join(dataDir, 'postgres'), join(folder, 'standby/postgres'), { recursive: true });
    const server = await startEmbeddedPostgres({ dataDir });
    // After a restart it has no socket.
    const primary = { url: overNetwork(server.url), stop: () => server.stop() };
    const { hostname, port, username, password } = new URL(primary.url);
    const files = join(folder, 'standby/postgres/files');
    const source = `host=${hostname} port=${port} user=${username} password=${password}`;
    await appendFile(join(files, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
    await writeFile(join(files, 'standby.signal'), '');
    // A port next to the primary's, below those of outgoing connections.
    const url = Object.assign(new URL(primary.url), { port: String(Number(port) + 1) });
    return new ReplicatedDatabase(folder, primary, url.href);
  }

  async startStandby(): Promise<void> {
    this.standby = await this.serve('standby', new URL(this.url).port);
  }

  /** Restarts the primary with these parameters, as a server without automatic restart. */
  async restartPrimary(...parameters: string[]): Promise<void> {
    await this.primary.stop();
    this.unwatched = await this.serve('primary', new URL(this.primary.url).port, parameters);
  }

  /** Restarts the primary as a standby that follows no server: its data remains unchanged. */
  async orphanPrimary(): Promise<void> {
    await writeFile(join(this.folder, 'primary/postgres/files/standby.signal'), '');
    await this.restartPrimary();
  }

  /** Kills the server, permanently if it was restarted. */
  async killPrimary(): Promise<void> {
    const pidFile = await readFile(join(this.folder, 'primary/postgres/files/postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n', 1)[0]), 'SIGKILL');
    await this.unwatched?.ended;
  }

  private async serve(name: string, port: string, parameters: readonly string[] = []): Promise<WatchedProcess> {
    const dataDir = join(this.folder, name);
    const account = await chooseAccount(join(dataDir, 'postgres'));
    const programs = await preparePrograms(dataDir, account);
    const { files, filesAsSeen } = await openCluster({ dataDir, programs, account, durable: true });
    const options = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...parameters];
    const command = [programs.postgres, '-D', filesAsSeen, ...options.flatMap((option) => ['-c', option])];
    const server = spawnWatched(command, { account, cwd: files, stdout: 'ignore', stderr: 'pipe' });
    server.child.stderr?.resume();
    return server;
  }

  async stopStandby(): Promise<void> {
    this.standby?.child.stdin?.destroy();
    await this.standby?.ended;
  }

  async close(): Promise<void> {
    await this.stopStandby();
    this.unwatched?.child.stdin?.destroy();
    await this.unwatched?.ended;
    await this.primary.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
