import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/until.js';

export const ROOT = resolve(import.meta.dirname, '../../..');
export const SECRET_KEY = 'a key of more than thirty-two characters';

/** A timeout for a start with demo data on a busy machine. */
const START_MS = 120_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Builds the program that `npm start` runs, if it is outdated. */
export async function build(root = ROOT): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.js')], { cwd: root });
}

/** Variables of `npm start` that reduce its work. */
const NODE_ARGUMENTS = ['--max-semi-space-size=16', '--no-parallel-scavenge'];

/** The gateway as an operator runs it: a process with its environment, output and signals. */
export class GatewayProcess {
  out = '';
  complaint = '';
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;

  /** Only these variables and PATH: the environment of the test is not inherited. */
  constructor(env: Record<string, string>, nodeArguments: readonly string[] = NODE_ARGUMENTS, root = ROOT) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [...nodeArguments, join(root, 'dist/main.js')], {
      cwd: root,
      env: { PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.complaint += text));
    // 'close' is emitted after all output has been read.
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }) as Ended);
  }

  /** Starts it and waits until it reports that it is ready. PORT is a free one unless given. */
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

  /** Sends it a signal and returns its exit; without effect when it has ended. */
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
