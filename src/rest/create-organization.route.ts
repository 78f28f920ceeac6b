import type { RequestHandler } from 'express';
import { isInputObjectType } from 'graphql';
import type { RequestContext } from '../context.js';
import type { Engine } from '../engine/engine.js';
import { WireInput } from '../engine/wire.js';
import { badUserInput } from '../errors.js';
import { exchangeOf } from '../http/exchange.js';
import type { Idempotency } from '../vocabulary/idempotency.js';
import { LIMITS } from '../vocabulary/limits.js';
import { readOrganizationBody } from './bodies.js';
import { successEnvelope } from './envelope.js';
import { answerPost, fingerprintOf } from './idempotent-reply.js';
import { locationRoot } from './location.js';
import { Operation } from './operation.js';
import type { OperationRoute } from './route.js';
import { STATUS } from './status.js';
import { fingerprinted } from './uploads/fingerprinted-file.js';

/**
 * POST /api/v1/organizations (specification 4.1), from JSON or multipart. The rules see the body as it was sent: a field
 * in GraphQL's spelling is unknown here, and after the renaming it could no longer be told.
 */
export function createOrganizationHandler(
  route: OperationRoute,
  {
    engine,
    idempotency,
    publicUrl,
    organizationFaults,
  }: {
    engine: Engine;
    idempotency: Idempotency;
    publicUrl: string;
    organizationFaults(fields: unknown): string[];
  },
): RequestHandler {
  const operation = new Operation(engine, route.document);
  const input = inputOf(engine);
  const root = locationRoot(publicUrl);
  return async (request, response) => {
    const context: RequestContext = await exchangeOf(request).context();
    const { fields, logo } = await readOrganizationBody(request);
    const faults = organizationFaults(fields);
    if (faults.length > 0) throw badUserInput(faults);
    const organization = input.fromWire(fields) as Record<string, unknown>;
    const upload = logo && fingerprinted(request, logo, LIMITS.logo.maxBytes);
    if (upload !== undefined) organization['logoFile'] = upload.file;
    return answerPost(request, response, idempotency, {
      context,
      fingerprint: async () => fingerprintOf(route, fields, await upload?.fingerprint()),
      execute: async () => {
        const answer = await operation.execute({ input: organization }, context);
        const { id } = answer.data as { id: number };
        const headers = { Location: `${root}${route.path}/${id}` };
        return { status: STATUS.created, headers, body: JSON.stringify(successEnvelope(answer)) };
      },
    });
  };
}

function inputOf(engine: Engine): WireInput {
  const type = engine.schema.getType('CreateOrganizationInput');
  if (!isInputObjectType(type)) throw new Error('The schema has no CreateOrganizationInput');
  return new WireInput(type);
}
