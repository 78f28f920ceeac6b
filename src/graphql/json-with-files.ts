import type { ReceivedFile } from '../storage/incoming-file.js';
import { ContentCutter, cutContents, markOf } from '../http/json-content.js';
import { parseJson } from '../common/json-text.js';
import { bodyTooLarge, type UnreadRequest } from '../http/request-body.js';
import type { BlobStore } from '../storage/blob-store.js';
import { LIMITS } from '../values/limits.js';

/** Destinations of a body's files: the disk, and the map, whose owner discards them. */
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
    // A refused file is read on, for the parts that follow it.
    while (next.value?.index === index) next = await pieces.next();
  }
  return parseJson(cutter.rest());
}
