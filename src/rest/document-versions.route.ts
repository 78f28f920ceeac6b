import type { RequestHandler } from 'express';
import type { Engine } from '../engine/engine.js';
import { exchangeOf } from '../http/exchange.js';
import { LIMITS } from '../vocabulary/limits.js';
import { sendJson } from './answer.js';
import { successEnvelope } from './envelope.js';
import { Operation } from './operation.js';
import { readParameters } from './read-parameters.js';
import type { OperationRoute } from './route.js';
import { STATUS } from './status.js';
import { incomingDocument } from './uploads.js';

/**
 * POST …/versions (specification 4.2), from any of three content types: 201 with the new version, or 200 with the one
 * that has the same content. Nothing of the body is read before the service has let the caller in.
 */
export function documentVersionsHandler(route: OperationRoute, { engine }: { engine: Engine }): RequestHandler {
  const operation = new Operation(engine, route.document);
  return async (request, response) => {
    const context = await exchangeOf(request).context();
    const variables = readParameters(route.parameters, request.params, request.url);
    const file = incomingDocument(request, LIMITS.document.maxBytes);
    const answer = await operation.execute({ ...variables, file }, context);
    const status = answer.payload['created'] === true ? STATUS.created : STATUS.ok;
    sendJson(request, response, status, JSON.stringify(successEnvelope(answer)));
  };
}
