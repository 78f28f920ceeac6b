import type { DocumentNode } from 'graphql';
import type { GraphQLContext } from '../context.js';
import type { GraphQLExecutor, Variables } from '../graphql/executor.js';
import { REST_SERIALIZERS } from './rest-input.js';
import type { ShownValue } from './translate.js';

/** What an operation answered, in the envelope's terms. */
export interface Answer {
  data: unknown;
  /** Names the state of what is answered, where the operation selects its `version`. */
  etag: string | undefined;
  /** Lists only. */
  total: number | undefined;
  /** The object that holds `data`: a payload has more than the envelope shows, such as `created`. */
  payload: Readonly<Record<string, unknown>>;
}

/** An operation on the core schema, prepared for many executions. */
export class Operation {
  /** Fields from the root down to the object that holds `data`. */
  readonly #path: readonly string[];

  constructor(
    private readonly executor: GraphQLExecutor,
    readonly document: DocumentNode,
    path: string,
    private readonly shown: readonly ShownValue[] = [],
  ) {
    executor.prepare(document, REST_SERIALIZERS);
    this.#path = path.split('.').slice(0, -1);
  }

  /** Throws the first error of a resolver: the envelope shows one. */
  async execute(variables: Variables, context: GraphQLContext): Promise<Answer> {
    const { data, errors } = await this.executor.execute({ document: this.document, variables, context });
    const [error] = errors ?? [];
    if (error !== undefined) throw error;
    let payload = data as Record<string, unknown>;
    for (const name of this.#path) payload = payload[name] as Record<string, unknown>;
    for (const value of this.shown) showValue(payload['data'], value);
    return { ...withoutEtag(payload), total: payload['total'] as number | undefined, payload };
  }
}

/** Puts the value in the place of the object that has it, in each item of a list. */
function showValue(data: unknown, shown: ShownValue, at = 0): void {
  if (Array.isArray(data)) return data.forEach((item) => showValue(item, shown, at));
  if (typeof data !== 'object' || data === null) return;
  const name = shown.path[at] ?? '';
  const below = (data as Record<string, unknown>)[name];
  if (at < shown.path.length - 1) return showValue(below, shown, at + 1);
  if (below !== null) (data as Record<string, unknown>)[name] = (below as Record<string, unknown>)[shown.value];
}

/** The version stands beside `data`, or in it where `data` is the first field of the operation. */
function withoutEtag(payload: Readonly<Record<string, unknown>>): Pick<Answer, 'data' | 'etag'> {
  const inside = payload['data'];
  if (payload['etag'] !== undefined) return { data: inside, etag: entityTag(payload['etag']) };
  if (typeof inside !== 'object' || inside === null || !('etag' in inside)) return { data: inside, etag: undefined };
  const { etag, ...data } = inside;
  return { data, etag: entityTag(etag) };
}

function entityTag(version: unknown): string {
  return `"${String(version)}"`;
}
