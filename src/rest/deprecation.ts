import type { ServerResponse } from 'node:http';
import { deprecationOf, type Deprecation } from '../common/deprecation.js';
import { deprecatedPartsOf, mayHaveDeprecated } from '../graphql/deprecations.js';
import type { Variables } from '../graphql/executor.js';
import type { Parameter } from './route.js';
import type { CompiledOperation, CompiledRoute } from './view/core-path.js';

/** Why a route itself is deprecated: by a field of the core that it leads through, or for REST alone. */
export function routeDeprecation({ deprecated, core }: CompiledRoute): Deprecation | undefined {
  return deprecated ?? earliest(core?.steps.flatMap(({ field }) => deprecationOf(field) ?? []) ?? []);
}

/**
 * Finds the deprecation of what a request sends, by its parameters and fields; undefined for a route without a
 * deprecated one.
 */
export function deprecatedInputs(
  route: CompiledOperation,
  described: readonly Parameter[],
): ((parameters: Variables, variables: Variables) => Deprecation | undefined) | undefined {
  const deprecatedParameters = described.filter(({ deprecation }) => deprecation !== undefined);
  const { input } = route.core;
  const mayBeInBody = input !== undefined && mayHaveDeprecated(input);
  if (deprecatedParameters.length === 0 && !mayBeInBody) return undefined;
  const ofRoute = routeDeprecation(route);
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
