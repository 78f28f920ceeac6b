import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { badUserInput } from '../errors.js';

/** Texts that JSON can hold and a database cannot: NUL characters and halves of surrogate pairs, as escapes. */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])/;

/** Reads a JSON body. Throws BAD_USER_INPUT: not JSON, not UTF-8, too large, or with text that cannot be stored. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const body = await readBytes(request, maxBytes);
  if (body.length === 0) throw badUserInput(['The body is empty']);
  if (!isUtf8(body) || body.includes(0)) throw badUserInput(['The body is not valid JSON']);
  const text = body.toString('utf8');
  const value = parsed(text);
  if (SUSPICIOUS.test(text) && !isStorable(value)) {
    throw badUserInput(['The body must not contain NUL characters or halves of surrogate pairs']);
  }
  return value;
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => badUserInput([`The body must not be larger than ${maxBytes} bytes`]);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput(['The body is not valid JSON']);
  }
}

/** Walks with a list instead of the stack: how deep a body may be is decided elsewhere, and must not crash this. */
function isStorable(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value === 'object' && value !== null) open.push(...Object.keys(value), ...Object.values(value));
  }
  return true;
}

/** Lets so many large bodies in at a time; the others wait before a byte of theirs is read. */
export class LargeBodyGate {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(places: number) {
    this.free = places;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
