import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/until.js';

export const ROOT = resolve(import.meta.dirname, '../../..');
export const SECRET_KEY = 'a key of more than thirty-two characters';

/** A start with demo data on a machine that is busy with something else. */
const START_MS = 120_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Turns the sources into what `npm start` runs; does nothing when that is done. */
export async function build(root = ROOT): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.js')], { cwd: root });
}

/** Those of `npm start` that make it start and run with less work. */
const NODE_ARGUMENTS = ['--max-semi-space-size=16', '--no-parallel-scavenge'];

/** The gateway as an operator runs it: a process, its environment, what it prints, and signals. */
export class GatewayProcess {
  out = '';
  complaint = '';
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;

  /** Only these variables, and where programs are: nothing of ours reaches the gateway by chance. */
  constructor(env: Record<string, string>, nodeArguments: readonly string[] = NODE_ARGUMENTS, root = ROOT) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [...nodeArguments, join(root, 'dist/main.js')], {
      cwd: root,
      env: { PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.complaint += text));
    // 'close' comes when all that it said has been read, too.
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }) as Ended);
  }

  /** Starts it and waits until it says that it is ready. PORT is free choice unless it is given. */
  static async ready(
    env: Record<string, string>,
    nodeArguments?: readonly string[],
    root?: string,
  ): Promise<GatewayProcess> {
    const gateway = new GatewayProcess({ PORT: '0', ...env }, nodeArguments, root);
    const ended = gateway.ended.then((how) => {
      throw new Error(`The gateway ended before it was ready: ${JSON.stringify(how)}\n${gateway.complaint}`);
    });
    ended.catch(() => undefined);
    const isReady = () => /ready\.\n[\s\S]*\/health\/ready\n(?:[\s\S]*\n)?\n/.test(gateway.out);
    await Promise.race([until('the gateway is ready', isReady, START_MS), ended]).catch((error: Error) => {
      error.message += `\n${gateway.out}\n${gateway.complaint}`;
      throw error;
    });
    return gateway;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get port(): number {
    return Number(/REST +http:\/\/localhost:(\d+)/.exec(this.out)?.[1]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it with a signal and returns how it ended; harmless when it has ended. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    return this.ended;
  }
}

/** Tries a new connection. */
export function connectTo(port: number): Promise<'taken' | 'refused'> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((answer) => {
    socket.once('connect', () => answer('taken')).once('error', () => answer('refused'));
  }).finally(() => socket.destroy()) as Promise<'taken' | 'refused'>;
}
