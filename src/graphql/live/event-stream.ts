import type { ServerResponse } from 'node:http';
import { LIMITS } from '../../vocabulary/limits.js';
import type { LiveResults } from './live-operations.js';

/** A comment: keeps proxies from taking a quiet line for a dead one. */
const SIGN_OF_LIFE = ':\n\n';
/** Milliseconds that a client is given to take the last of it. */
const GOODBYE = 2_000;

/**
 * Writes server-sent events as fast as the client takes them and no faster: the next event is asked for when the last one
 * is on its way. A client that takes nothing between two signs of life is cut off.
 */
export class EventStream {
  private isBlocked = false;
  /** It was blocked at the last sign of life already, and has not moved since. */
  private isStuck = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly response: ServerResponse) {}

  open(): void {
    const { response } = this;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Some proxies collect what passes through them until they are told not to.
      'x-accel-buffering': 'no',
    });
    // Browsers do not take the headers alone for an answer.
    response.write(SIGN_OF_LIFE);
    this.timer = setInterval(() => this.tick(), LIMITS.live.pingSeconds * 1000).unref();
    response.once('close', () => clearInterval(this.timer));
  }

  /** One event for each result, and one at the end. */
  async carry(results: LiveResults): Promise<void> {
    const { response } = this;
    if (!response.writable) return void results.return();
    response.once('close', () => void results.return());
    for await (const result of results) {
      if (!(await this.write(event('next', result)))) return;
    }
    response.end(event('complete'));
  }

  /** The last result. */
  finish(result: object): void {
    if (this.response.writable) this.response.end(event('next', result) + event('complete'));
  }

  /** As `finish`, or without a word of completion where the client is to come back; who does not take it is cut off. */
  dismiss(result?: object): void {
    if (result === undefined) this.response.end();
    else this.finish(result);
    setTimeout(() => this.response.destroy(), GOODBYE).unref();
  }

  /** Whether the client is still there. */
  private async write(text: string): Promise<boolean> {
    const { response } = this;
    if (!response.writable) return false;
    if (response.write(text)) return true;
    this.isBlocked = true;
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.once('drain', done).once('close', done);
    });
    this.isBlocked = this.isStuck = false;
    return response.writable;
  }

  private tick(): void {
    if (this.isStuck) this.response.destroy();
    else if (this.isBlocked) this.isStuck = true;
    else if (this.response.writable) this.response.write(SIGN_OF_LIFE);
  }
}

function event(name: 'next' | 'complete', data?: object): string {
  return `event: ${name}\ndata: ${data === undefined ? '' : JSON.stringify(data)}\n\n`;
}
