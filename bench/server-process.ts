import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { requestAnswer } from './child-message.js';

export interface ServerSettings {
  name: string;
  /** Absolute path of the script. */
  entry: string;
  /** Arguments for Node itself, before the entry. */
  nodeArguments: readonly string[];
  env: Record<string, string>;
  /** Polled until it responds with 200. */
  readyPath: string;
}

const PROBE = fileURLToPath(new URL('./probe.mjs', import.meta.url));
const READY_POLL_MS = 5;
const READY_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 15_000;

/** A server in a separate process on a free port of the loopback interface, with measurement of its cost. */
export class ServerProcess {
  private constructor(
    readonly name: string,
    readonly port: number,
    /** Milliseconds from the start of the process until it was ready. */
    readonly startMilliseconds: number,
    private readonly child: ChildProcess,
  ) {}

  static async start({ name, entry, nodeArguments, env, readyPath }: ServerSettings): Promise<ServerProcess> {
    const port = await freePort();
    const startedAt = performance.now();
    const child = fork(entry, [], {
      execArgv: [...nodeArguments, '--import', PROBE],
      env: { ...inherited(), ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    try {
      await ready(child, `http://127.0.0.1:${port}${readyPath}`, name);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return new ServerProcess(name, port, performance.now() - startedAt, child);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Microseconds of processor time, user and system, since the start of the process. */
  async cpu(): Promise<number> {
    const { cpu } = await requestAnswer<{ cpu: NodeJS.CpuUsage }>(this.child, 'cpu');
    return cpu.user + cpu.system;
  }

  /** Bytes of resident memory; undefined where the system has no /proc. */
  async residentBytes(): Promise<number | undefined> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), STOP_DEADLINE_MS);
    await ended;
    clearTimeout(late);
  }
}

/**
 * Servers receive their whole environment explicitly: except for telemetry, the caller's shell must not influence the
 * result.
 */
function inherited(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR, NODE_OPTIONS } = process.env;
  const telemetry = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
  return { PATH, HOME, TMPDIR, NODE_OPTIONS, ...Object.fromEntries(telemetry) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(child: ChildProcess, url: string, name: string): Promise<void> {
  const deadline = performance.now() + READY_DEADLINE_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server "${name}" ended with code ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`The server "${name}" was not ready in time`);
    const status = await statusOf(url);
    if (status === 200) return;
    await sleep(READY_POLL_MS);
  }
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    // Apollo Server rejects a GET that is neither a query with a custom header nor a browser's.
    const response = await fetch(url, { headers: { Accept: 'text/html, */*;q=0.5' } });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}
