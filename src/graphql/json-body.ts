import { isUtf8 } from 'node:buffer';
import type { ReceivedFile } from '../common/incoming-file.js';
import { ContentCutter, cutContents, markOf } from '../http/json-content.js';
import { bodyTooLarge, jsonIn, type UnreadRequest } from '../http/request-body.js';
import type { BlobStore } from '../storage/blob-store.js';
import { LIMITS } from '../values/limits.js';
import { badUserInput, notJson } from '../errors.js';

/** Texts that JSON can hold and a database cannot: NUL characters and halves of surrogate pairs, as escapes. */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])/;

export const UNSTORABLE = 'Texts must not contain NUL characters or halves of surrogate pairs';

/** Where the files of a body go: to the disk, and into the map, whose owner discards them. */
interface FilePlaces {
  stage: BlobStore['stage'];
  received: Map<string, ReceivedFile>;
}

/**
 * Reads JSON whose long values of the name `content` are base64 of documents. They are decoded as they come (as REST
 * does), and marks stand in their places: what is wrong with one is known when it is used.
 */
export async function readJsonWithFiles(
  request: UnreadRequest,
  { maxBody, contents }: { maxBody: number; contents: number },
  { stage, received }: FilePlaces,
): Promise<unknown> {
  const { maxBytes } = LIMITS.document;
  const cutter = new ContentCutter({
    contents,
    maxBody,
    maxBytes,
    name: 'content',
    tooLarge: () => bodyTooLarge(maxBody),
  });
  const pieces = cutContents(request, cutter);
  let next = await pieces.next();
  async function* bytesOf(index: number): AsyncGenerator<Buffer> {
    for (; next.value?.index === index; next = await pieces.next()) yield next.value.content;
    yield cutter.ended(index);
  }
  while (!next.done) {
    const { index } = next.value;
    const staged = stage(bytesOf(index), maxBytes);
    received.set(markOf(index), staged);
    await staged.catch(() => undefined);
    // What was refused is read on, for the sake of what follows it.
    while (next.value?.index === index) next = await pieces.next();
  }
  return parseJson(cutter.rest());
}

/** What a body says. Throws BAD_USER_INPUT: not JSON, not UTF-8, or with text that cannot be stored. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw badUserInput(['The body is empty']);
  if (!isUtf8(body) || body.includes(0)) throw notJson();
  const text = body.toString('utf8');
  const value = jsonIn(text);
  if (SUSPICIOUS.test(text) && !isStorable(value)) throw badUserInput([UNSTORABLE]);
  return value;
}

/** Walks with a list instead of the stack: how deep a body may be is decided elsewhere, and must not crash this. */
export function isStorable(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value !== 'object' || value === null) continue;
    // One by one: a list may have more items than a call may have arguments.
    for (const item of Object.values(value)) open.push(item);
    if (!Array.isArray(value)) for (const key of Object.keys(value)) open.push(key);
  }
  return true;
}
