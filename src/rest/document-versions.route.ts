import type { RequestHandler } from 'express';
import type { Engine } from '../engine/engine.js';
import { exchangeOf } from '../http/exchange.js';
import type { Idempotency } from '../vocabulary/idempotency.js';
import { LIMITS } from '../vocabulary/limits.js';
import { successEnvelope } from './envelope.js';
import { answerPost, fingerprintOf } from './idempotent-reply.js';
import { Operation } from './operation.js';
import { readParameters } from './read-parameters.js';
import type { OperationRoute } from './route.js';
import { STATUS } from './status.js';
import { fingerprinted } from './uploads/fingerprinted-file.js';
import { incomingDocument } from './uploads.js';

/**
 * POST …/versions (specification 4.2), from any of three content types: 201 with the new version, or 200 with the one
 * that has the same content. Nothing of the body is read before the service has let the caller in.
 */
export function documentVersionsHandler(
  route: OperationRoute,
  { engine, idempotency }: { engine: Engine; idempotency: Idempotency },
): RequestHandler {
  const operation = new Operation(engine, route.document);
  return async (request, response) => {
    const context = await exchangeOf(request).context();
    const variables = readParameters(route.parameters, request.params, request.url);
    const incoming = incomingDocument(request, LIMITS.document.maxBytes);
    const { file, fingerprint } = fingerprinted(request, incoming, LIMITS.document.maxBytes);
    return answerPost(request, response, idempotency, {
      context,
      fingerprint: async () => fingerprintOf(route, variables, await fingerprint()),
      execute: async () => {
        const answer = await operation.execute({ ...variables, file }, context);
        const status = answer.payload['created'] === true ? STATUS.created : STATUS.ok;
        return { status, headers: {}, body: JSON.stringify(successEnvelope(answer)) };
      },
    });
  };
}
