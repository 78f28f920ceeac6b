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
import { incomingAttachment } from './uploads.js';

/** POST …/attachments (specification 4.3). Nothing of the body is read before the service has let the caller in. */
export function incidentAttachmentsHandler(
  route: OperationRoute,
  { engine, idempotency }: { engine: Engine; idempotency: Idempotency },
): RequestHandler {
  const operation = new Operation(engine, route.document);
  return async (request, response) => {
    const context = await exchangeOf(request).context();
    const variables = readParameters(route.parameters, request.params, request.url);
    const { file, fingerprint } = fingerprinted(request, incomingAttachment(request), LIMITS.attachment.maxBytes);
    return answerPost(request, response, idempotency, {
      context,
      fingerprint: async () => fingerprintOf(route, variables, await fingerprint()),
      execute: async () => {
        const answer = await operation.execute({ ...variables, file }, context);
        return { status: STATUS.created, headers: {}, body: JSON.stringify(successEnvelope(answer)) };
      },
    });
  };
}
