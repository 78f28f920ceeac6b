import type { FileFacts, IncomingFile } from '../../vocabulary/incoming-file.js';
import type { ByteSource } from './byte-source.js';

/** Yields the content; returns how its facts are told once the content has ended. */
export type FileReading = AsyncGenerator<Uint8Array, () => FileFacts>;

/** A file whose bytes can be read once. Leaving the iteration early lets go of the source and fails the facts. */
export function streamedFile(source: ByteSource, read: () => FileReading): IncomingFile {
  const facts = new Settlement();
  // Whoever never asks for the facts of a failed file must not bring the process down with an unhandled rejection.
  facts.promise.catch(() => undefined);
  let taken = false;
  return {
    bytes: {
      [Symbol.asyncIterator]() {
        if (taken) throw new Error('The content of an incoming file can be read only once');
        taken = true;
        return reading(source, read, facts);
      },
    },
    facts: () => facts.promise,
  };
}

async function* reading(
  source: ByteSource,
  read: () => FileReading,
  facts: Settlement,
): AsyncGenerator<Uint8Array, void> {
  try {
    const tell = yield* read();
    settle(facts, tell);
  } catch (error) {
    facts.reject(error);
    throw error;
  } finally {
    // Does nothing when the facts are settled.
    facts.reject(new Error('The content was not read to its end'));
    await source.stop();
  }
}

/** The facts' promise, settled from outside by whoever comes first. */
class Settlement {
  resolve!: (facts: FileFacts) => void;
  reject!: (reason: unknown) => void;
  readonly promise = new Promise<FileFacts>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

function settle(facts: Settlement, tell: () => FileFacts): void {
  try {
    facts.resolve(tell());
  } catch (error) {
    facts.reject(error);
  }
}
