import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requestAnswer } from './child-message.js';
import type { LoadJob, LoadResult } from './load.js';

const ENTRY = fileURLToPath(new URL('./load.ts', import.meta.url));

/** The load generator in a process of its own, so that nothing of it counts as the server's. */
export class LoadProcess {
  private readonly child: ChildProcess = fork(ENTRY);

  /** Throws when an answer had another status than the job expects, or a connection broke. */
  async run(job: LoadJob): Promise<LoadResult> {
    const result = await requestAnswer<LoadResult | { error: string }>(this.child, job);
    if ('error' in result) throw new Error(`The load failed. ${result.error}`);
    return result;
  }

  stop(): void {
    this.child.disconnect();
  }
}
