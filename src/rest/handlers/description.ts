import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Json } from '../../common/input-schema.js';
import type { GraphQLExecutor } from '../../graphql/executor.js';
import { hasCurrent, takesEncoding } from '../../http/negotiation.js';
import { sendJson, STATUS } from '../answer.js';
import { openApiDocument } from '../openapi.js';
import type { RouteHandler } from '../operation-handler.js';

/** GET /api/v1/openapi.json: the interface description (specification 9), made when it is first requested. */
export function descriptionHandler({
  executor,
  publicUrl,
}: {
  executor: GraphQLExecutor;
  publicUrl: string;
}): RouteHandler {
  let made: { text: Buffer; tag: string } | undefined;
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return async (request, response) => {
    made ??= describe(openApiDocument(executor.schema, { url: publicUrl }));
    const { text, tag } = made;
    response.appendHeader('Vary', 'Accept-Encoding');
    const encoding = ENCODINGS.find((each) => takesEncoding(request, each));
    // It names the text in this encoding (RFC 9110 8.8.3).
    const etag = encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`;
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
    if (hasCurrent(request, etag)) return void response.writeHead(STATUS.notModified, headers).end();
    if (encoding === undefined) return sendJson(request, response, STATUS.ok, text, headers);
    const body = await (compressed[encoding] ??= COMPRESS[encoding](text));
    sendJson(request, response, STATUS.ok, body, { ...headers, 'Content-Encoding': encoding });
  };
}

function describe(document: Json) {
  const text = JSON.stringify(document);
  return { text: Buffer.from(text), tag: hash('sha256', text, 'base64url') };
}

const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The best quality of Brotli takes seconds for a description of this size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const COMPRESS: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text) => promisify(gzip)(text),
};
