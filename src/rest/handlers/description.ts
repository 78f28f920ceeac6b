import type { GraphQLExecutor } from '../../graphql/executor.js';
import { sendJson } from '../answer.js';
import { CompressedText } from '../compressed-text.js';
import { hasCurrent } from '../conditional.js';
import { openApiDocument } from '../openapi.js';
import type { RouteHandler } from '../operation-handler.js';
import { STATUS } from '../status.js';

/** GET /api/v1/openapi.json: the interface description (specification 9). */
export function descriptionHandler({
  executor,
  publicUrl,
}: {
  executor: GraphQLExecutor;
  publicUrl: string;
}): RouteHandler {
  const text = new CompressedText(JSON.stringify(openApiDocument(executor.schema, { url: publicUrl })));
  return async (request, response) => {
    response.appendHeader('Vary', 'Accept-Encoding');
    const { body, encoding, etag } = await text.for(request);
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
    if (hasCurrent(request, etag)) return void response.writeHead(STATUS.notModified, headers).end();
    const encoded = encoding === undefined ? {} : { 'Content-Encoding': encoding };
    sendJson(request, response, STATUS.ok, body, { ...headers, ...encoded });
  };
}
