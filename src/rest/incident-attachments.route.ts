import type { RequestHandler } from 'express';
import type { Engine } from '../engine/engine.js';
import { exchangeOf } from '../http/exchange.js';
import { sendJson } from './answer.js';
import { successEnvelope } from './envelope.js';
import { Operation } from './operation.js';
import { readParameters } from './read-parameters.js';
import type { OperationRoute } from './route.js';
import { STATUS } from './status.js';
import { incomingAttachment } from './uploads.js';

/** POST …/attachments (specification 4.3). Nothing of the body is read before the service has let the caller in. */
export function incidentAttachmentsHandler(route: OperationRoute, { engine }: { engine: Engine }): RequestHandler {
  const operation = new Operation(engine, route.document);
  return async (request, response) => {
    const context = await exchangeOf(request).context();
    const variables = readParameters(route.parameters, request.params, request.url);
    const answer = await operation.execute({ ...variables, file: incomingAttachment(request) }, context);
    sendJson(request, response, STATUS.created, JSON.stringify(successEnvelope(answer)));
  };
}
