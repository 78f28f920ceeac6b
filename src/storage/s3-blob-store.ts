import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { notFound } from '../errors.js';
import {
  blobKey,
  isContentAddress,
  onDisk,
  unavailableBecause,
  type BlobStore,
  type ByteRange,
  type S3Location,
  type StagedBlob,
} from './blob-store.js';
import { stagedBlob, type StagedFile, StagingArea } from './staging-area.js';

/** Without a byte in either direction. */
export const SILENCE_MS = 15_000;

/** Blobs in a bucket of any S3 service: `<prefix>blobs/ab/cd/<sha256>`. Uploads wait on this machine until kept. */
export class S3BlobStore implements BlobStore {
  private readonly client: S3Client;
  /** For bodies, whose readers may be slow: a time-out of the socket would count that as silence. */
  private readonly reader: S3Client;
  private readonly staging: StagingArea;

  constructor(
    private readonly location: S3Location,
    stagingDirectory: string,
    /** Milliseconds without a byte after which the service is away. */
    private readonly silence = SILENCE_MS,
  ) {
    this.staging = new StagingArea(stagingDirectory);
    this.client = s3Client(location, silence);
    this.reader = s3Client(location, 0);
  }

  async stage(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob> {
    const file = await this.staging.receive(bytes, maxBytes);
    return stagedBlob(file, {
      secure: () => this.put(file),
      keep: () => this.put(file).then(() => onDisk(() => file.remove())),
    });
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      ...this.address(sha256),
      Range: range && `bytes=${range.start}-${range.end}`,
    });
    const { Body } = await onService(() =>
      inTime(this.silence, (abortSignal) => this.reader.send(command, { abortSignal })),
    );
    if (!(Body instanceof IncomingMessage)) throw new TypeError('The S3 client gave a body that is no stream.');
    endWhenSilent(Body, this.silence);
    return Body;
  }

  async has(sha256: string): Promise<boolean> {
    return isContentAddress(sha256) && (await this.sizeOf(sha256)) !== undefined;
  }

  async remove(sha256: string): Promise<void> {
    if (!isContentAddress(sha256)) return;
    const command = new DeleteObjectCommand(this.address(sha256));
    await onService(() => this.client.send(command));
  }

  async *list(): AsyncIterable<string> {
    const { bucket: Bucket, prefix } = this.location;
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket, Prefix: `${prefix}blobs/` });
    try {
      for await (const { Contents = [] } of pages) {
        for (const { Key = '' } of Contents) {
          const sha256 = Key.slice(-64);
          if (isContentAddress(sha256) && Key === this.address(sha256).Key) yield sha256;
        }
      }
    } catch (error) {
      throw asDomainError(error);
    }
  }

  sweepStaging(): Promise<number> {
    return this.staging.sweep();
  }

  async ping(): Promise<void> {
    await this.staging.probe();
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.location.bucket }));
    } catch (error) {
      throw unavailableBecause(error);
    }
  }

  async close(): Promise<void> {
    this.client.destroy();
    this.reader.destroy();
  }

  /** Content that is there already is not sent again. */
  private async put(file: StagedFile): Promise<void> {
    if ((await this.sizeOf(file.sha256)) === file.size) return;
    const bytes = createReadStream(file.path);
    const command = new PutObjectCommand({ ...this.address(file.sha256), Body: bytes, ContentLength: file.size });
    signedContent(command, file.sha256);
    // The client does not notice when its source fails, and does not close it on errors of its own.
    const broken = new AbortController();
    bytes.once('error', (error) => broken.abort(error));
    try {
      await onService(() => this.client.send(command, { abortSignal: broken.signal }));
    } finally {
      bytes.destroy();
    }
  }

  /** Undefined when it is not there. */
  private async sizeOf(sha256: string): Promise<number | undefined> {
    const command = new HeadObjectCommand(this.address(sha256));
    try {
      return (await this.client.send(command)).ContentLength ?? -1;
    } catch (error) {
      // The answer to HEAD has no body, so that a missing key and a missing bucket look alike here.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      throw asDomainError(error);
    }
  }

  private address(sha256: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${blobKey(sha256)}` };
  }
}

/** We know the hash that S3 wants to check: signing it makes the service refuse bytes that changed on their way. */
function signedContent(command: PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'signedContent' },
  );
}

/** Aborts a step that takes longer; what comes of it afterwards is left alone, as a body that is read. */
async function inTime<T>(milliseconds: number, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  try {
    return await step(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

export async function onService<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw asDomainError(error);
  }
}

/**
 * Only a missing key is NOT_FOUND. What is no answer of the service at all (network, timeout, no credentials), its own
 * failures and its refusal of us are UNAVAILABLE; an answer that our request was wrong is our defect and stays.
 */
export function asDomainError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (!(error instanceof S3ServiceException)) return unavailableBecause(error);
  if (error.name === 'NoSuchKey') return notFound();
  const status = error.$metadata.httpStatusCode ?? 503;
  return status >= 500 || [401, 403, 404, 408, 429].includes(status) ? unavailableBecause(error) : error;
}

const CONNECT_MS = 3_000;
/** A request that waits for a socket looks to the client like one that cannot connect, so each gets one at once. */
const AGENT = { maxSockets: Infinity };

/** A client that gives up when there was no byte in either direction for `silence` milliseconds; never when it is 0. */
export function s3Client(location: S3Location, silence: number): S3Client {
  return new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    forcePathStyle: location.pathStyle,
    credentials: location.credentials,
    // Otherwise a streamed body is sent in aws-chunked frames, which many S3-compatible services store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    // Without one the SDK writes to the console; what went wrong is the `cause` of our error.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: AGENT, httpsAgent: AGENT, socketTimeout: silence },
  });
}

function ignore(): void {
  // The body is not read.
}

/**
 * Ends a body of which nothing more comes. What is there and not read yet, or all there, is no silence of the service
 * but of the reader, who may take as long as it likes.
 */
function endWhenSilent(body: IncomingMessage, milliseconds: number): void {
  const { socket } = body;
  const endSilence = () => {
    // The socket reports a silence once, so its limit is set again.
    if (body.complete || body.readableLength > 0) socket.setTimeout(milliseconds);
    else body.destroy(new Error(`The service said nothing for ${milliseconds} ms in the middle of a body`));
  };
  socket.setTimeout(milliseconds).on('timeout', endSilence);
  body.once('close', () => socket.off('timeout', endSilence));
}
