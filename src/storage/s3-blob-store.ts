import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { pipeline as pipe, Transform, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ifFound, notFound } from '../errors.js';
import {
  blobKey,
  isContentAddress,
  MARKER,
  onDisk,
  unavailableBecause,
  type BlobStore,
  type ByteRange,
  type S3Location,
  type StagedBlob,
  type StoredBlob,
} from './blob-store.js';
import { stagedBlob, type StagedFile, StagingArea } from './staging-area.js';

/**
 * Blobs in a bucket of any S3 service: `<prefix>blobs/ab/cd/<sha256>`. Uploads are staged on this machine until they
 * are stored.
 */
export class S3BlobStore implements BlobStore {
  /** Requests are aborted by a signal: a socket timeout would repeat them, and count slow readers as silence. */
  private readonly client: S3Client;
  /** For request bodies, which may take long while they make progress. */
  private readonly sender: S3Client;
  private readonly staging: StagingArea;

  constructor(
    private readonly location: S3Location,
    stagingDirectory: string,
    /** Milliseconds without an answer, or without a byte of a body, after which the service counts as unavailable. */
    private readonly silence: number,
  ) {
    this.staging = new StagingArea(stagingDirectory);
    this.client = s3Client(location, 0);
    this.sender = s3Client(location, silence);
  }

  async stage(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedBlob> {
    const file = await this.staging.receive(bytes, maxBytes);
    let etag: string | undefined;
    const put = async () => {
      etag = await this.put(file, etag);
    };
    return stagedBlob(file, { secure: put, store: () => put().then(() => onDisk(() => file.remove())) });
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      ...this.address(sha256),
      Range: range && `bytes=${range.start}-${range.end}`,
    });
    const { body, isPart } = await this.get(command);
    return range === undefined || isPart ? body : partOf(body, range);
  }

  async has(sha256: string): Promise<boolean> {
    return isContentAddress(sha256) && (await this.found(sha256)) !== undefined;
  }

  async stamp(sha256: string): Promise<string | undefined> {
    return (await this.found(sha256))?.etag;
  }

  async remove(sha256: string): Promise<void> {
    if (!isContentAddress(sha256)) return;
    const command = new DeleteObjectCommand(this.address(sha256));
    await this.inTime((abortSignal) => this.client.send(command, { abortSignal }));
  }

  async *list(after?: string): AsyncIterable<StoredBlob> {
    const { bucket: Bucket, prefix } = this.location;
    const StartAfter = after === undefined ? undefined : this.address(after).Key;
    const blobs = objectsOf(this.client, this.silence, { Bucket, Prefix: `${prefix}blobs/`, StartAfter });
    for await (const { Key = '', LastModified } of blobs) {
      const sha256 = Key.slice(-64);
      if (LastModified !== undefined && isContentAddress(sha256) && Key === this.address(sha256).Key)
        yield { sha256, storedAt: LastModified };
    }
  }

  readMarker(): Promise<string | undefined> {
    return ifFound(async () => {
      const { body } = await this.get(new GetObjectCommand(this.marker()));
      return onService(() => text(body));
    });
  }

  async writeMarker(text: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.marker(), Body: text, ContentType: 'application/json' });
    await this.inTime((abortSignal) => this.client.send(command, { abortSignal }));
  }

  sweepStaging(): Promise<number> {
    return this.staging.sweep();
  }

  async ping(): Promise<void> {
    await this.staging.probe();
    const { bucket: Bucket, prefix: Prefix } = this.location;
    const command = new HeadBucketCommand({ Bucket });
    try {
      await inTime(this.silence, async (abortSignal) => {
        // An answer to HEAD has no body: another request returns the reason of a refusal.
        await this.client.send(command, { abortSignal }).catch(async (error: unknown) => {
          if (!(error instanceof S3ServiceException)) throw error;
          await this.client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { abortSignal });
          throw error;
        });
      });
    } catch (error) {
      throw unavailableBecause(error);
    }
  }

  async close(): Promise<void> {
    this.client.destroy();
    this.sender.destroy();
  }

  /**
   * Skips content whose object has the entity tag that it was `given`, or else its MD5. Changed objects have another
   * tag, as do those in several parts or encrypted with a customer's key: these are sent again.
   */
  private async put(file: StagedFile, given: string | undefined): Promise<string | undefined> {
    const found = await this.found(file.sha256);
    if (found?.size === file.size && found.etag === (given ?? (await md5Tag(file)))) return found.etag;
    const bytes = createReadStream(file.path);
    const command = new PutObjectCommand({ ...this.address(file.sha256), Body: bytes, ContentLength: file.size });
    signedContent(command, file.sha256);
    // The client does not notice an error of its source, nor close it on its own errors.
    const broken = new AbortController();
    bytes.once('error', (error) => broken.abort(error));
    try {
      return (await onService(() => this.sender.send(command, { abortSignal: broken.signal }))).ETag;
    } finally {
      bytes.destroy();
    }
  }

  /** Undefined when the object does not exist. */
  private async found(sha256: string): Promise<{ size?: number; etag?: string } | undefined> {
    const command = new HeadObjectCommand(this.address(sha256));
    try {
      const send = (abortSignal: AbortSignal) => this.client.send(command, { abortSignal });
      const { ContentLength: size, ETag: etag } = await inTime(this.silence, send);
      return { size, etag };
    } catch (error) {
      // The answer to HEAD has no body, so that a missing key and a missing bucket look alike.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      // Nor does it show the reason of a refusal, such as expired credentials.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 400)
        throw unavailableBecause(error);
      throw asDomainError(error);
    }
  }

  private async get(command: GetObjectCommand): Promise<{ body: Readable; isPart: boolean }> {
    const { Body, ContentRange } = await this.inTime((abortSignal) => this.client.send(command, { abortSignal }));
    if (!(Body instanceof IncomingMessage)) throw new TypeError('The S3 client gave a body that is no stream.');
    endWhenSilent(Body, this.silence);
    return { body: Body, isPart: ContentRange !== undefined };
  }

  /** A request with a small body and answer: all of its attempts share the time. */
  private inTime<T>(send: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    return onService(() => inTime(this.silence, send));
  }

  private marker(): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${MARKER}` };
  }

  private address(sha256: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${blobKey(sha256)}` };
  }
}

/** A part of a whole object, returned by services that do not support ranges. */
function partOf(whole: Readable, { start, end }: ByteRange): Readable {
  let position = 0;
  const part = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const [from, to] = [start, end + 1].map((place) => Math.max(0, place - position));
      position += chunk.length;
      done(null, chunk.subarray(from, to));
    },
  });
  // The reader gets errors of both streams.
  return pipe(whole, part, () => undefined);
}

/** The entity tag of an object sent in one piece; empty where MD5 is not available (FIPS). */
async function md5Tag({ path }: StagedFile): Promise<string> {
  try {
    const hash = createHash('md5');
    await pipeline(createReadStream(path), hash);
    return `"${hash.digest('hex')}"`;
  } catch {
    return '';
  }
}

/** The known hash in the form that S3 checks: signed, so that the service refuses bytes that changed in transit. */
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

/** Aborts a step after a timeout; reading its result afterwards, such as a body, is not limited. */
export async function inTime<T>(milliseconds: number, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  try {
    return await step(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

interface ListedPlace {
  Bucket: string;
  Prefix: string;
  StartAfter?: string | undefined;
}

/** The objects with this key prefix, in the order of the service. */
export async function* objectsOf(client: S3Client, silence: number, place: ListedPlace) {
  let ContinuationToken: string | undefined;
  do {
    const command = new ListObjectsV2Command({ ...place, ContinuationToken });
    const page = await onService(() => inTime(silence, (abortSignal) => client.send(command, { abortSignal })));
    yield* page.Contents ?? [];
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

export async function onService<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw asDomainError(error);
  }
}

/** Codes of 400 for correct requests: too slow, changed in transit, or with expired credentials. */
const PASSING = ['RequestTimeout', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch', 'ExpiredToken'];

/**
 * Only a missing key is NOT_FOUND. Missing answers (network, timeout, no credentials), failures of the service and
 * its refusals are UNAVAILABLE; other client errors are defects of the gateway and unchanged.
 */
export function asDomainError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (!(error instanceof S3ServiceException)) return unavailableBecause(error);
  if (error.name === 'NoSuchKey') return notFound();
  const status = error.$metadata.httpStatusCode ?? 503;
  const isPassing = status >= 500 || [401, 403, 404, 408, 409, 429].includes(status) || PASSING.includes(error.name);
  return isPassing ? unavailableBecause(error) : error;
}

const CONNECT_MS = 3_000;
/** The client reports a request that waits for a socket as a connection error, so each gets one at once. */
const AGENT = { maxSockets: Infinity };

/** A client that aborts after `silence` milliseconds without a byte in either direction; never when it is 0. */
export function s3Client(location: S3Location, silence: number): S3Client {
  return new S3Client({
    endpoint: location.endpoint,
    region: location.region,
    forcePathStyle: location.pathStyle,
    credentials: location.credentials,
    // Otherwise streamed bodies are sent in aws-chunked frames, which many S3-compatible services store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    // The SDK would log to the console; errors are the `cause` of ours.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: AGENT, httpsAgent: AGENT, socketTimeout: silence },
  });
}

function ignore(): void {
  // Nothing is logged.
}

/**
 * Ends a body of which nothing more arrives. A complete body, or one with unread data, waits for its reader, whose time
 * is not limited.
 */
function endWhenSilent(body: IncomingMessage, milliseconds: number): void {
  const { socket } = body;
  const endSilence = () => {
    // The socket reports a timeout once, so it is set again.
    if (body.complete || body.readableLength > 0) socket.setTimeout(milliseconds);
    else body.destroy(new Error(`The service said nothing for ${milliseconds} ms in the middle of a body`));
  };
  socket.setTimeout(milliseconds).on('timeout', endSilence);
  body.once('close', () => socket.off('timeout', endSilence));
}
