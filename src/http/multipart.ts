import { Dicer } from '@fastify/busboy';
import { isUtf8 } from 'node:buffer';
import { Readable, Writable } from 'node:stream';
import type { FileFacts } from '../storage/incoming-file.js';
import { collected } from '../common/collected.js';
import { shownName } from '../common/shown-name.js';
import { badUserInput } from '../errors.js';
import { parseHeaderValue, unescapedName, type HeaderValue } from './header-value.js';
import { ClientLeft, requirePresence, type UnreadRequest } from './request-body.js';

interface FormLimits {
  maxParts: number;
  /** Maximum bytes of everything except content, and the error beyond. */
  maxOverhead: number;
  tooLarge(): Error;
}

/**
 * The parts of multipart/form-data (RFC 7578) one by one; what is not read of one is skipped. Throws BAD_USER_INPUT. The
 * signal ends the reading at once, in the middle of a part as well.
 */
export async function* readForm(
  request: UnreadRequest,
  limits: FormLimits,
  signal?: AbortSignal,
): AsyncGenerator<FormPart> {
  requirePresence(request);
  const form = new OpenForm(request, limits);
  signal?.addEventListener('abort', () => form.close());
  try {
    for await (const part of form.parts as AsyncIterable<FormPart>) {
      yield part;
      form.skip(part.stream);
    }
  } finally {
    form.close();
  }
}

export class FormPart {
  readonly name: string;
  /** A part with a file name, or of type application/octet-stream, is a file; every other is a text field. */
  readonly isFile: boolean;
  /** File name, and media type without parameters, where the part has them. */
  readonly facts: FileFacts;

  constructor(
    private readonly form: OpenForm,
    readonly stream: Readable,
    headers: PartHeaders,
  ) {
    ({ name: this.name, isFile: this.isFile, facts: this.facts } = describe(headers));
  }

  /** The bytes as content, which does not count against the limit of the form. */
  async *content(): AsyncGenerator<Buffer> {
    for await (const piece of this.pieces()) {
      this.form.countContent(piece.length);
      yield piece;
    }
  }

  /** The text of a field. Throws BAD_USER_INPUT when it is longer or not UTF-8. */
  async text(maxBytes: number): Promise<string> {
    this.form.countAsOverhead(this.stream);
    const tooLong = () => badUserInput([`${shownName(this.name)} must not exceed ${maxBytes / 1024} KB`]);
    const bytes = await collected(this.pieces(), maxBytes, tooLong);
    if (!isUtf8(bytes)) throw badUserInput([`${shownName(this.name)} must be valid UTF-8`]);
    return bytes.toString();
  }

  private async *pieces(): AsyncGenerator<Buffer> {
    try {
      yield* this.stream as AsyncIterable<Buffer>;
    } catch (error) {
      throw this.form.failure ?? error;
    }
  }
}

const notMultipart = () => badUserInput(['The body is not valid multipart form data']);
const ignore = () => undefined;

const MAX_HEAD_BYTES = 16 * 1024;
/** RFC 2046, section 5.1.1: at most 70 characters, the last no space. Any visible one is accepted, as everywhere. */
const BOUNDARY = /^[ -~]{0,69}[!-~]$/;

/** Carries a request through the parser, and the parts that it finds to their reader. */
class OpenForm {
  /** Why it ended early. */
  failure?: Error;
  readonly parts = new Readable({ objectMode: true, read: ignore });
  private readonly parser: Dicer;
  private readonly sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => this.parse(chunk, done),
    final: (done) => {
      this.isReceived = true;
      this.parser.end();
      this.finish();
      done();
    },
  });
  /** Unfinished parts; and of them, those whose bytes may still be content. */
  private readonly open = new Set<Readable>();
  private readonly unread = new Set<Readable>();
  private received = 0;
  private contentBytes = 0;
  private count = 0;
  private lacksHead = false;
  private isParsed = false;
  private isReceived = false;

  constructor(
    private readonly request: UnreadRequest,
    private readonly limits: FormLimits,
  ) {
    const boundary = parseHeaderValue(request.headers['content-type'])?.parameters.get('boundary');
    if (boundary === undefined || !BOUNDARY.test(boundary)) throw notMultipart();
    const options: Dicer.Config & { maxHeaderSize: number } = { boundary, maxHeaderSize: MAX_HEAD_BYTES };
    this.parser = new Dicer(options);
    this.parser.on('part', (stream) => this.begin(stream));
    this.parser.on('error', () => this.fail(notMultipart()));
    this.parser.on('finish', () => {
      this.isParsed = true;
      this.finish();
    });
    // Its reader gets the error when it reads on; without a reader at the moment it must not end the process.
    this.parts.on('error', ignore);
    request.once('close', this.left).once('error', this.left).pipe(this.sink);
  }

  /** Stops reading and leaves the socket open for the answer. */
  close(): void {
    this.request.off('close', this.left).unpipe(this.sink);
    this.fail(new Error('The form was not read to its end'));
  }

  countContent(bytes: number): void {
    this.contentBytes += bytes;
  }

  countAsOverhead(stream: Readable): void {
    this.unread.delete(stream);
  }

  skip(stream: Readable): void {
    this.countAsOverhead(stream);
    stream.resume();
  }

  private parse(chunk: Buffer, done: () => void): void {
    this.received += chunk.length;
    const isReady = this.parser.write(chunk);
    let waiting = 0;
    for (const stream of this.unread) waiting += stream.readableLength;
    if (this.received - this.contentBytes - waiting > this.limits.maxOverhead) this.fail(this.limits.tooLarge());
    else if (isReady) done();
    else this.parser.once('drain', done);
  }

  private begin(stream: Readable): void {
    stream.on('error', ignore);
    if (this.lacksHead) return this.fail(notMultipart());
    this.count += 1;
    const { maxParts } = this.limits;
    if (this.count > maxParts) return this.fail(badUserInput([`The body must not hold more than ${maxParts} parts`]));
    this.lacksHead = true;
    this.open.add(stream);
    this.unread.add(stream);
    stream.once('close', () => this.open.delete(stream) && this.unread.delete(stream));
    stream.once('header', (headers: PartHeaders) => {
      this.lacksHead = false;
      try {
        this.parts.push(new FormPart(this, stream, headers));
      } catch (error) {
        this.fail(error as Error);
      }
    });
  }

  private finish(): void {
    if (!this.isParsed || !this.isReceived) return;
    if (this.lacksHead) this.fail(notMultipart());
    else this.parts.push(null);
  }

  private readonly fail = (error: Error): void => {
    this.failure ??= error;
    this.parts.destroy(error);
    this.sink.destroy();
    for (const stream of this.open) stream.destroy(error);
  };

  private readonly left = (): void => {
    if (!this.request.readableEnded) this.fail(new ClientLeft());
  };
}

/** Values by lower-case name, each character a byte. */
type PartHeaders = Readonly<Record<string, readonly string[]>>;

const IDENTITY_ENCODINGS = ['7bit', '8bit', 'binary'];
const UNICODE = ['utf-8', 'utf8', 'us-ascii'];

function describe(headers: PartHeaders): { name: string; isFile: boolean; facts: FileFacts } {
  if (Object.values(headers).some((values) => values.length > 1)) throw notMultipart();
  const disposition = parseHeaderValue(textOf(headers['content-disposition']?.[0]));
  const spelled = disposition?.parameters.get('name');
  if (disposition?.value !== 'form-data' || spelled === undefined) throw notMultipart();
  const name = unescapedName(spelled);
  const type = parseHeaderValue(textOf(headers['content-type']?.[0]));
  const encoding = headers['content-transfer-encoding']?.[0]?.trim().toLowerCase() ?? 'binary';
  if (!IDENTITY_ENCODINGS.includes(encoding)) {
    throw badUserInput([`${shownName(name)} must not have a Content-Transfer-Encoding`]);
  }
  const filename = filenameOf(disposition);
  const isFile = filename !== undefined || type?.value === 'application/octet-stream';
  const charset = type?.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  if (!isFile && !UNICODE.includes(charset)) throw badUserInput([`${shownName(name)} must be UTF-8`]);
  return {
    name,
    isFile,
    facts: { ...(filename !== undefined && { filename }), ...(type && { contentType: type.value }) },
  };
}

/** A header in UTF-8, or in Latin-1 when it is not. */
function textOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

function filenameOf({ parameters }: HeaderValue): string | undefined {
  const plain = parameters.get('filename');
  return extended(parameters.get('filename*')) ?? (plain === undefined ? undefined : unescapedName(plain));
}

/** RFC 8187 spelling. RFC 7578 forbids it in forms, yet some clients send it beside a plain name that says less. */
function extended(text: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text ?? '') ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
