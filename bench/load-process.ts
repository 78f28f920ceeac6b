import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requestAnswer } from './child-message.js';
import type { LoadJob, LoadResult } from './load.js';

const ENTRY = fileURLToPath(new URL('./load.ts', import.meta.url));

/** The load generator in a separate process, so that its processor time does not count as the server's. */
export class LoadProcess {
  private readonly child: ChildProcess = fork(ENTRY);

  /** Throws if a response has another status than the job expects, or a connection breaks. */
  async run(job: LoadJob): Promise<LoadResult> {
    const result = await requestAnswer<LoadResult | { error: string }>(this.child, job);
    if ('error' in result) throw new Error(`The load failed. ${result.error}`);
    return result;
  }

  stop(): void {
    this.child.disconnect();
  }
}
