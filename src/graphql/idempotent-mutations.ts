import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import Upload from 'graphql-upload/Upload.mjs';
import { hash, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { IDEMPOTENCY_REPLAYED } from '../common/idempotency.js';
import type { Executed, IdempotentAnswers, Reply } from '../services/shared/idempotent-answers.js';
import type { GraphQLContext } from '../http/context.js';
import type { ChangedObject } from '../errors.js';
import { idempotentRequestOf } from '../http/idempotency-key.js';
import { isCall } from './direct-operations.js';
import { textOf } from './http-response.js';
import type { Call, OperationPipeline } from './pipeline.js';

/**
 * Mutations with an `Idempotency-Key`: executed once, with all their root fields in one transaction. A field that fails
 * undoes its own changes only, as it does without a key; where the service itself fails, all of them are undone.
 */
export class IdempotentMutations {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly idempotency: IdempotentAnswers,
  ) {}

  /** Executes a request; once for each key, if it is a mutation that names one. Throws CONFLICT and BAD_USER_INPUT. */
  async answer(
    request: IncomingMessage,
    body: unknown,
    context: GraphQLContext,
    execute: () => Promise<HTTPGraphQLResponse>,
  ): Promise<HTTPGraphQLResponse> {
    const idempotent =
      isCall(body) && this.isMutation(body, context) ? idempotentRequestOf(request, context) : undefined;
    if (idempotent === undefined) return execute();
    const fingerprint = await fingerprintOf(body as Call, context);
    const { reply, isReplayed } = await this.idempotency.run(
      idempotent,
      () => fingerprint,
      async () => executed(await execute()),
    );
    return responseOf(reply, isReplayed);
  }

  /** Whether it is one that will be executed: refused ones do not use the key. */
  private isMutation(call: Call, context: GraphQLContext): boolean {
    const admitted = this.pipeline.admit(call, context);
    return 'operation' in admitted && admitted.operation.operation === 'mutation';
  }
}

/** Of the operation, its variables, and the content of files: neither white space of the JSON nor a boundary matters. */
async function fingerprintOf(
  { query, operationName, variables }: Call,
  { received = new Map() }: GraphQLContext,
): Promise<string> {
  const reading = new Map<unknown, Promise<string>>([
    ...uploadsIn(variables).map((upload) => [upload, uploadFingerprint(upload)] as const),
    ...[...received].map(([mark, file]) => [mark, file.then(({ sha256 }) => sha256)] as const),
  ]);
  // By the object or the mark of each file in the variables. An unreadable one has a unique fingerprint.
  const files = new Map(
    await Promise.all([...reading].map(async ([key, file]) => [key, await file.catch(() => 'unreadable')] as const)),
  );
  const text = JSON.stringify([query, operationName, variables], (_name, value: unknown) => files.get(value) ?? value);
  return hash('sha256', text);
}

/** Codes after which nothing is stored: the same request may succeed later. */
const FAILURES = new Set(['UNAVAILABLE', 'INTERNAL']);

interface Result {
  errors?: { extensions?: { code?: string } }[];
  data?: object | null;
}

function executed(answer: HTTPGraphQLResponse): Executed {
  const { status, headers } = answer;
  const reply: Reply = { status: status ?? 200, headers: Object.fromEntries(headers), body: textOf(answer) };
  const { errors, data } = JSON.parse(reply.body) as Result;
  const objects = objectsIn(data);
  if (errors === undefined) return { reply, outcome: 'done', objects };
  const isFailure = errors.some(({ extensions }) => FAILURES.has(extensions?.code ?? ''));
  if (!isFailure && data !== undefined) return { reply, outcome: 'partly', objects };
  // Changes of the preceding fields are undone with it, and must not be shown.
  return { reply: { ...reply, body: JSON.stringify({ errors, data: null }) + '\n' }, outcome: 'failed' };
}

/** The objects of each payload by their ids, as far as these are selected under their names. */
function objectsIn(data: Result['data']): ChangedObject[] {
  return Object.entries(data ?? {}).flatMap(([root, payload]) =>
    Object.entries((payload ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
      if (typeof value !== 'object' || value === null) return [];
      const { id, databaseId } = value as Omit<ChangedObject, 'path'>;
      return id === undefined && databaseId === undefined ? [] : [{ path: [root, name], id, databaseId }];
    }),
  );
}

function responseOf({ status, headers, body }: Reply, isReplayed: boolean): HTTPGraphQLResponse {
  const map = new HeaderMap(Object.entries(headers));
  if (isReplayed) map.set(IDEMPOTENCY_REPLAYED.toLowerCase(), 'true');
  return { status, headers: map, body: { kind: 'complete', string: body } };
}

/** Waits until the file of a multipart request has arrived. */
async function uploadFingerprint({ promise }: Upload): Promise<string> {
  const { filename, mimetype, createReadStream } = await promise;
  const hash = createHash('sha256');
  for await (const piece of createReadStream()) hash.update(piece as Uint8Array);
  return JSON.stringify([hash.digest('hex'), filename, mimetype]);
}

function uploadsIn(root: unknown): Upload[] {
  const found = new Set<Upload>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (value instanceof Upload) found.add(value);
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) open.push(item);
  }
  return [...found];
}
