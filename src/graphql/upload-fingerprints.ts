import Upload from 'graphql-upload/Upload.mjs';
import { createHash } from 'node:crypto';

/**
 * What tells the files of a multipart request from others, by the object that stands for each in the variables. Waits
 * until they have arrived. One that cannot be read is told from all that can.
 */
export async function uploadFingerprints(variables: unknown): Promise<ReadonlyMap<unknown, string>> {
  const uploads = uploadsIn(variables);
  return new Map(await Promise.all(uploads.map(async (upload) => [upload, await fingerprintOf(upload)] as const)));
}

async function fingerprintOf(upload: Upload): Promise<string> {
  try {
    const { filename, mimetype, createReadStream } = await upload.promise;
    const hash = createHash('sha256');
    for await (const piece of createReadStream()) hash.update(piece as Uint8Array);
    return JSON.stringify([hash.digest('hex'), filename, mimetype]);
  } catch {
    return 'unreadable';
  }
}

function uploadsIn(root: unknown): Upload[] {
  const found = new Set<Upload>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (value instanceof Upload) found.add(value);
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) open.push(item);
  }
  return [...found];
}
