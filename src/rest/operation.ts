import { Kind, type DocumentNode, type FieldNode, type SelectionSetNode } from 'graphql';
import type { RequestContext } from '../context.js';
import type { Engine, Variables } from '../engine/engine.js';

/** What an operation answered, in the envelope's terms. */
export interface Answer {
  data: unknown;
  /** Names the state of what is answered, where the document has a field that is called `etag`. */
  etag: string | undefined;
  /** Lists only. */
  total: number | undefined;
  /** The object that holds `data`: a payload tells more than the envelope does, such as `created`. */
  payload: Readonly<Record<string, unknown>>;
}

/** A route's document, compiled at start, with the place in its result where the envelope's `data` is. */
export class Operation {
  private readonly path: readonly string[];

  constructor(
    private readonly engine: Engine,
    private readonly document: DocumentNode,
  ) {
    engine.prepare(document);
    this.path = pathToData(document).map(responseName);
  }

  /** Throws what a resolver threw; the first of it, because the envelope tells one failure. */
  async execute(variables: Variables, context: RequestContext): Promise<Answer> {
    const { data, errors } = await this.engine.execute({ document: this.document, variables, context });
    const [error] = errors ?? [];
    if (error !== undefined) throw error;
    let payload = data as Record<string, unknown>;
    for (const name of this.path.slice(0, -1)) payload = payload[name] as Record<string, unknown>;
    const { data: told, etag } = untagged(payload);
    return { data: told, etag, total: payload['total'] as number | undefined, payload };
  }
}

/** The state stands beside `data` where there is room, and inside of it where `data` is the operation's first field. */
function untagged(payload: Readonly<Record<string, unknown>>): { data: unknown; etag: string | undefined } {
  const inside = payload['data'];
  if (payload['etag'] !== undefined) return { data: inside, etag: entityTag(payload['etag']) };
  if (typeof inside !== 'object' || inside === null || !('etag' in inside)) return { data: inside, etag: undefined };
  const { etag, ...data } = inside;
  return { data, etag: entityTag(etag) };
}

function entityTag(state: unknown): string {
  return `"${String(state)}"`;
}

/** The fields from the operation's root down to the one that is called `data`, that one included. */
export function pathToData(document: DocumentNode): FieldNode[] {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const path = pathIn(definition.selectionSet);
    if (path !== undefined) return path;
  }
  throw new Error('A document of a route needs a field that is called "data"');
}

/** What the field is called in the answer. */
export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function pathIn({ selections }: SelectionSetNode): FieldNode[] | undefined {
  const fields = selections.filter((selection) => selection.kind === Kind.FIELD);
  const data = fields.find((field) => responseName(field) === 'data');
  if (data !== undefined) return [data];
  for (const field of fields) {
    const below = field.selectionSet && pathIn(field.selectionSet);
    if (below !== undefined) return [field, ...below];
  }
  return undefined;
}
