import { getNamedType, type GraphQLSchema } from 'graphql';
import type { ServerResponse } from 'node:http';
import { deprecationOf, type Deprecation } from '../common/deprecation.js';
import { deprecatedPartsOf, mayHaveDeprecated } from '../graphql/deprecations.js';
import type { Variables } from '../graphql/executor.js';
import { corePath, inputTypeOf } from './view/core-path.js';
import { isOperationRoute, type Parameter, type Route } from './route.js';

/** Why a route itself is deprecated: by a field of the core that it leads through, or for REST alone. */
export function routeDeprecation(core: GraphQLSchema, route: Route): Deprecation | undefined {
  const { deprecated } = route;
  if (deprecated !== undefined || !isOperationRoute(route)) return deprecated;
  return earliest(corePath(core, route).steps.flatMap(({ field }) => deprecationOf(field) ?? []));
}

/**
 * What to say of a request that sends a deprecated parameter or field; undefined for a route where nothing of what is sent
 * is deprecated.
 */
export function deprecatedInputs(
  core: GraphQLSchema,
  route: Route,
  described: readonly Parameter[],
): ((parameters: Variables, variables: Variables) => Deprecation | undefined) | undefined {
  const deprecatedParameters = described.filter(({ deprecation }) => deprecation !== undefined);
  const input = isOperationRoute(route) ? inputTypeOf(core, route) : undefined;
  const mayBeInBody = input !== undefined && mayHaveDeprecated(getNamedType(input));
  if (deprecatedParameters.length === 0 && !mayBeInBody) return undefined;
  const ofRoute = routeDeprecation(core, route);
  return (parameters, variables) => {
    const sent = [
      ...deprecatedParameters.flatMap(({ name, deprecation }) => (parameters[name] === undefined ? [] : deprecation!)),
      ...(mayBeInBody ? deprecatedPartsOf(input, variables['input']) : []),
    ];
    return sent.length === 0 || ofRoute === undefined ? earliest(sent) : earliest([...sent, ofRoute]);
  };
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where the policy is. */
export function showDeprecation(response: ServerResponse, { since, sunset }: Deprecation, publicUrl: string): void {
  const guide = `${publicUrl}/guides/compatibility`;
  const link = (rel: string) => `<${guide}>; rel="${rel}"; type="text/html"`;
  response.setHeader('Deprecation', `@${startOf(since).getTime() / 1000}`);
  response.setHeader('Sunset', startOf(sunset).toUTCString());
  response.setHeader('Link', `${link('deprecation')}, ${link('sunset')}`);
}

/** The one that ends first. */
function earliest(deprecations: readonly Deprecation[]): Deprecation | undefined {
  return deprecations.toSorted((one, other) => (one.sunset < other.sunset ? -1 : 1))[0];
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
