import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { GraphQLExecutor } from '../../graphql/executor.js';
import { hasCurrent, takesEncoding } from '../../http/negotiation.js';
import { sendJson } from '../answer.js';
import { openApiDocument } from '../openapi.js';
import type { RouteHandler } from '../operation-handler.js';
import { STATUS } from '../status.js';

/** GET /api/v1/openapi.json: the interface description (specification 9), made when it is first requested. */
export function descriptionHandler({
  executor,
  publicUrl,
}: {
  executor: GraphQLExecutor;
  publicUrl: string;
}): RouteHandler {
  let text: CompressedText | undefined;
  return async (request, response) => {
    text ??= new CompressedText(JSON.stringify(openApiDocument(executor.schema, { url: publicUrl })));
    response.appendHeader('Vary', 'Accept-Encoding');
    const { body, encoding, etag } = await text.for(request);
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
    if (hasCurrent(request, etag)) return void response.writeHead(STATUS.notModified, headers).end();
    const encoded = encoding === undefined ? {} : { 'Content-Encoding': encoding };
    sendJson(request, response, STATUS.ok, body, { ...headers, ...encoded });
  };
}

/** What is sent of a fixed text; without an encoding it is the text itself. */
interface Encoded {
  body: Buffer;
  encoding: 'br' | 'gzip' | undefined;
  /** Names the text in this encoding (RFC 9110 8.8.3). */
  etag: string;
}

/** A long text that never changes, compressed once for each encoding that clients take. */
class CompressedText {
  private readonly plain: Buffer;
  private readonly hash: string;
  private readonly made = new Map<'br' | 'gzip', Promise<Buffer>>();

  constructor(text: string) {
    this.plain = Buffer.from(text);
    this.hash = hash('sha256', text, 'base64url');
  }

  async for(request: IncomingMessage): Promise<Encoded> {
    const encoding = (['br', 'gzip'] as const).find((each) => takesEncoding(request, each));
    if (encoding === undefined) return { body: this.plain, encoding, etag: `"${this.hash}"` };
    return { body: await this.compressed(encoding), encoding, etag: `"${this.hash}-${encoding}"` };
  }

  private compressed(encoding: 'br' | 'gzip'): Promise<Buffer> {
    let made = this.made.get(encoding);
    if (made === undefined) this.made.set(encoding, (made = COMPRESS[encoding](this.plain)));
    return made;
  }
}

/** The best quality of Brotli takes seconds for a description of this size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const COMPRESS: Readonly<Record<'br' | 'gzip', (text: Buffer) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
};
