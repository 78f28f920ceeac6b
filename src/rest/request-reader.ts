import type { IncomingMessage } from 'node:http';
import type { GraphQLInputObjectType } from 'graphql';
import type { GraphQLExecutor, Variables } from '../graphql/executor.js';
import { isLargeBody } from '../http/request-body.js';
import { inputTypeOf } from './core-path.js';
import { type BodyReader, type UploadDeps, uploadReader, userIdOf } from './handlers/uploads.js';
import { fieldsFromParameters, jsonBodyReader } from './route-body.js';
import type { OperationRoute } from './route.js';

/** What a request says: the variables of its operation, and what distinguishes it from another one with the same key. */
interface RequestInput {
  variables: Variables;
  fingerprint(): Promise<readonly unknown[]> | readonly unknown[];
}

/** Reads the body of a route's requests, and puts what the address says into the operation's input. */
export function requestReader(
  route: OperationRoute,
  { executor, ...uploads }: UploadDeps & { executor: GraphQLExecutor },
): (request: IncomingMessage, parameters: Variables) => Promise<RequestInput> {
  const type = inputTypeOf(executor.schema, route);
  if (type === undefined)
    return async (_request, parameters) => ({ variables: parameters, fingerprint: () => [parameters] });
  const names = fieldsFromParameters(route, type);
  const read = bodyReader(route, type, uploads);
  return async (request, parameters) => {
    const { fields, fingerprint } = await read(request);
    const filled = Object.entries(parameters).map(([name, value]) => [names.get(name), value] as const);
    const variables = { input: { ...fields, ...Object.fromEntries(filled) } };
    return {
      variables,
      fingerprint: async () => (fingerprint === undefined ? [variables] : [parameters, ...(await fingerprint())]),
    };
  };
}

function bodyReader(route: OperationRoute, type: GraphQLInputObjectType, deps: UploadDeps): BodyReader {
  const { body } = route;
  if (body === undefined) return async () => ({ fields: {} });
  if ('upload' in body) return uploadReader(body.upload, type, deps);
  const read = jsonBodyReader({ ...route, body }, type);
  const mayBeLarge = body.maxBytes !== undefined;
  return async (request) => {
    const release =
      mayBeLarge && isLargeBody(request) ? await deps.largeBodies.enter(await userIdOf(request)) : undefined;
    try {
      return { fields: await read(request) };
    } finally {
      release?.();
    }
  };
}
