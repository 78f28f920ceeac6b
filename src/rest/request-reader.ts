import type { IncomingMessage } from 'node:http';
import type { GraphQLExecutor, Variables } from '../graphql/executor.js';
import { isLargeBody } from '../http/request-body.js';
import { inputTypeOf } from './core-path.js';
import { type UploadDeps, uploadReader, userIdOf } from './handlers/uploads.js';
import { fieldsFromParameters, RouteBody } from './route-body.js';
import { hasJsonBody, type OperationRoute } from './route.js';

/** What a request says: the variables of its operation, and what distinguishes it from another one with the same key. */
interface RequestInput {
  variables: Variables;
  fingerprint(): Promise<readonly unknown[]> | readonly unknown[];
}

/** Reads the body of a route's requests, and puts what the address says into the operation's input. */
export function requestReader(
  route: OperationRoute,
  { executor, ...uploads }: ReaderDeps,
): (request: IncomingMessage, parameters: Variables) => Promise<RequestInput> {
  const input = inputTypeOf(executor.schema, route);
  if (input === undefined) return async (_request, parameters) => plain(parameters);
  const fields = fieldsFromParameters(route, input);
  if (hasJsonBody(route)) {
    const json = new RouteBody(executor, route);
    const mayBeLarge = route.body.maxBytes !== undefined;
    return async (request, parameters) => {
      const release = mayBeLarge ? await placeFor(request, uploads) : undefined;
      try {
        return plain(await json.read(request, parameters));
      } finally {
        release?.();
      }
    };
  }
  const { body } = route;
  if (body === undefined || 'input' in body)
    return async (_request, parameters) => plain({ input: renamed(parameters, fields) });
  const read = uploadReader(body.upload, input, uploads);
  return async (request, parameters) => {
    const uploaded = await read(request);
    return {
      variables: { input: { ...renamed(parameters, fields), ...uploaded.fields } },
      fingerprint: async () => [parameters, ...(await uploaded.fingerprint())],
    };
  };
}

/** What gives the place of a large body back; others need none. */
async function placeFor(request: IncomingMessage, { largeBodies }: UploadDeps): Promise<(() => void) | undefined> {
  return isLargeBody(request) ? largeBodies.enter(await userIdOf(request)) : undefined;
}

interface ReaderDeps extends UploadDeps {
  executor: GraphQLExecutor;
}

function plain(variables: Variables): RequestInput {
  return { variables, fingerprint: () => [variables] };
}

function renamed(parameters: Variables, fields: ReadonlyMap<string, string>): Variables {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [fields.get(name) ?? name, value]));
}
