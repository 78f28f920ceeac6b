import type { GatewayClient } from './client.js';
import { envelopeOf } from './errors.js';
import type { paths } from './openapi.js';
import { requireOptions } from './options.js';

type ListAnswer = { responses: { 200: { content: { 'application/json': { data: unknown[]; total: number } } } } };

/** The paths whose GET answers a list page by page. */
export type ListPath = { [P in keyof paths]: paths[P] extends { get: ListAnswer } ? P : never }[keyof paths];

type Get<P extends ListPath> = Extract<paths[P], { get: ListAnswer }>['get'];

/** An item of the list of a path. */
export type ItemOf<P extends ListPath> = Get<P>['responses'][200]['content']['application/json']['data'][number];

type ParamsOf<P extends ListPath> =
  Get<P> extends { parameters: infer Params } ? Pick<Params, keyof Params & ('path' | 'query')> : never;

interface Page {
  data: unknown[];
  total: number;
}

/**
 * Every item of a list, loaded page by page on demand. `params` are those of GET; `limit` is the page size, 100 when
 * absent. The next page is taken from `Link`, never computed.
 */
export async function* itemsOf<P extends ListPath>(
  client: GatewayClient,
  path: P,
  params: ParamsOf<P>,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<ItemOf<P>, void, undefined> {
  const { signal } = options;
  requireOptions(options, { signal: true });
  // A misplaced filter, such as in the `params` of GET, would be ignored.
  requireOptions<object>(params, { path: true, query: true });
  const get = client.GET as (
    path: string,
    options: object,
  ) => Promise<{ data?: Page; error?: unknown; response: Response }>;
  const { path: named, query } = params as { path?: object; query?: object };
  for (let offset: string | undefined = ''; offset !== undefined;) {
    const from: object = offset === '' ? {} : { offset };
    const call = get(path, { params: { path: named, query: { limit: 100, ...query, ...from } }, signal });
    yield* (await envelopeOf(call)).data as ItemOf<P>[];
    offset = nextOf((await call).response)?.get('offset') ?? undefined;
  }
}

/** The parameters of the next page, by `Link` (RFC 8288); undefined on the last one. */
export function nextOf({ headers }: Response): URLSearchParams | undefined {
  const [, query] = /<[^?>]*\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return query === undefined ? undefined : new URLSearchParams(query);
}
