import { GraphQLError, type ExecutionResult } from 'graphql';
import { formatDomainError, toDomainError } from '../../src/graphql/errors.js';
import type { GraphQLResult } from '../support/clients.js';
import type { FieldByField } from '../support/field-by-field.js';
import type { Generated } from './generated-documents.js';

const RUNS = 4;

type Execute = (query: string, variables: object, operationName?: string) => Promise<GraphQLResult>;

/** Executes a document several times; what differs from what it is to be answered, for people. */
export async function differenceOf(
  { query, document, variables, operationName }: Generated,
  expected: FieldByField,
  execute: Execute,
): Promise<string | undefined> {
  const wanted = shown(await expected.answer(document, variables, operationName));
  for (let run = 1; run <= RUNS; run += 1) {
    const body = await execute(query, variables, operationName);
    // Too large a document is refused, which is no difference.
    if (body.errors?.some(({ message }) => /exceeds the limit|cost limit/.test(message))) return undefined;
    const got = shown(body);
    if (got !== wanted) return `run ${run} of ${query}\nwith ${JSON.stringify(variables)}\n${shownAside(got, wanted)}`;
  }
  return undefined;
}

/** Data with its keys in the order of the answer, and errors in that of their paths. */
function shown({ data, errors = [] }: ExecutionResult | GraphQLResult): string {
  // What is wrong with variables is said in words of our own, of all of them at once.
  if (data === undefined) return `refused: ${errors[0]?.extensions?.['code'] ?? 'BAD_USER_INPUT'}`;
  const messages = errors.map((error) => {
    // An argument that is not valid is refused by graphql-js itself, in words of its own.
    const isOwn = error instanceof GraphQLError && error.extensions['code'] === undefined;
    const { message, extensions } = isOwn ? formatDomainError(toDomainError(error)) : error;
    return `${error.path?.join('.')} ${extensions?.['code']} ${message}`;
  });
  return JSON.stringify({ data, errors: messages.toSorted() });
}

/** Both from where they begin to differ. */
function shownAside(got: string, wanted: string): string {
  let at = 0;
  while (got[at] === wanted[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 80), at + 160);
  return `answered ... ${part(got)}\ninstead of   ${part(wanted)}`;
}
