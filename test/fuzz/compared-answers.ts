import { GraphQLError, type ExecutionResult } from 'graphql';
import { formatDomainError, toDomainError } from '../../src/graphql/errors.js';
import type { GraphQLResult } from '../support/clients.js';
import type { FieldByField } from '../support/field-by-field.js';
import type { Generated } from './generated-documents.js';

const RUNS = 4;

type Execute = (query: string, variables: object, operationName?: string) => Promise<GraphQLResult>;

/** Executes a document several times; returns the difference from the expected response, as text. */
export async function differenceOf(
  { query, document, variables, operationName }: Generated,
  expected: FieldByField,
  execute: Execute,
): Promise<string | undefined> {
  const wanted = shown(await expected.answer(document, variables, operationName));
  for (let run = 1; run <= RUNS; run += 1) {
    const body = await execute(query, variables, operationName);
    // A document above the limits is refused, which is no difference.
    if (body.errors?.some(({ message }) => /exceeds the limit|cost limit/.test(message))) return undefined;
    const got = shown(body);
    if (got !== wanted) return `run ${run} of ${query}\nwith ${JSON.stringify(variables)}\n${shownAside(got, wanted)}`;
  }
  return undefined;
}

/** Data with its keys in the order of the response, and errors sorted by path. */
function shown({ data, errors = [] }: ExecutionResult | GraphQLResult): string {
  // Errors of variables have the project's wording, and cover all variables.
  if (data === undefined) return `refused: ${errors[0]?.extensions?.['code'] ?? 'BAD_USER_INPUT'}`;
  const messages = errors.map((error) => {
    // graphql-js itself reports an invalid argument, in its own wording.
    const isOwn = error instanceof GraphQLError && error.extensions['code'] === undefined;
    const { message, extensions } = isOwn ? formatDomainError(toDomainError(error)) : error;
    return `${error.path?.join('.')} ${extensions?.['code']} ${message}`;
  });
  return JSON.stringify({ data, errors: messages.toSorted() });
}

/** Both from their first difference on. */
function shownAside(got: string, wanted: string): string {
  let at = 0;
  while (got[at] === wanted[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 80), at + 160);
  return `answered ... ${part(got)}\ninstead of   ${part(wanted)}`;
}
