import { Readable } from 'node:stream';

/**
 * A window over a body that is still on the wire. Readers look at `buffer` from `at` on and ask for `more` only when
 * the window says too little, so a slow reader pauses the socket. What a reader leaves unread is carried over by
 * copying; a reader therefore leaves at most a few dozen bytes (half a boundary, half an escape), never a whole token.
 */
export class ByteSource {
  buffer: Buffer = EMPTY;
  at = 0;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #spent = 0;

  /** `allowance` is how many bytes `discard` may pass over in all; one more throws what `refusal` makes. */
  constructor(
    private readonly stream: AsyncIterable<Uint8Array>,
    private readonly allowance: number,
    private readonly refusal: () => Error,
  ) {}

  get unread(): number {
    return this.buffer.length - this.at;
  }

  /** Widens the window by the next chunk; false when the body has ended. */
  async more(): Promise<boolean> {
    this.#chunks ??= chunksOf(this.stream);
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      if (value.length === 0) continue;
      const chunk = Buffer.from(value.buffer, value.byteOffset, value.length);
      this.buffer = this.unread > 0 ? Buffer.concat([this.buffer.subarray(this.at), chunk]) : chunk;
      this.at = 0;
      return true;
    }
  }

  /** Sees to it that at least `count` bytes are in the window; false when the body ends before. */
  async ensure(count: number): Promise<boolean> {
    while (this.unread < count) if (!(await this.more())) return false;
    return true;
  }

  /** The next byte without taking it; -1 at the end of the body. */
  async peek(): Promise<number> {
    return (await this.ensure(1)) ? this.buffer[this.at]! : -1;
  }

  /** Takes `count` bytes that are not content: they count against the allowance. */
  discard(count: number): void {
    this.at += count;
    this.spend(count);
  }

  /** Counts bytes against the allowance; throws the refusal when it is used up. */
  spend(count: number): void {
    this.#spent += count;
    if (this.#spent > this.allowance) throw this.refusal();
  }

  /** Lets go of the stream without ending it: the socket is the caller's. */
  async stop(): Promise<void> {
    await this.#chunks?.return?.();
  }
}

const EMPTY = Buffer.alloc(0);

// A Readable's own iterator destroys the stream when it is left early, and the answer with it.
function chunksOf(stream: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  return stream instanceof Readable
    ? stream.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
    : stream[Symbol.asyncIterator]();
}
