import { expect } from '@jest/globals';
import { toSnakeCase } from '../../src/common/naming.js';
import type { ConflictReason } from '../../src/errors.js';
import type { Answer, Envelope, GraphQLResult, RestRequest } from './clients.js';
import type { TestGateway } from './gateway.js';
import { withStory } from './matchers.js';
import { graphqlOutcome, NUMBERS, type Outcome, restOutcome } from './parity.js';
import { multipart } from './rest.js';
import { inGraphQLInput, inRestValues, toCamelCase } from './rest-values.js';
import type { SampleFile } from './sample-files.js';

/** An operation in both APIs: a test names its input in REST's names and runs it through each. */
export interface Operation {
  /**
   * Method and path. Braces name fields of the input, `if_match` is the version for the change; the rest is the body,
   * or the query of a GET.
   */
  rest: string;
  /**
   * The same in GraphQL, with REST's names as aliases. Its variables are those of a list (`first`, `offset`, `orderBy`,
   * `filter`), `$input`, or named like the input's fields. People are read as their user names.
   */
  graphql: string;
  /** The path of REST's `data` in GraphQL's data; for a list, that of the connection. */
  at: string;
  /** Values that REST sends in headers. */
  headers?: Readonly<Record<string, string>>;
  /** GraphQL's names of fields of `$input`, where they differ from REST's in camel case. */
  names?: Readonly<Record<string, string>>;
}

/** Names of the two APIs, for `describe.each` and `test.each`. */
export const APIS = ['REST', 'GraphQL'] as const;
/** One of the two APIs. */
export type Api = (typeof APIS)[number];

/** Result of an operation in a common form: the code, and the data in REST's names. */
export interface Result extends Outcome {
  // Tests read it and specify their expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data?: any;
  /** For lists. */
  total?: number;
  /** Whether the operation created the returned object, if it may have existed before. */
  created?: boolean;
  story: string;
}

type Input = Readonly<Record<string, unknown>>;
type JsonRequest = RestRequest & { body?: object };

/** Runs an operation through REST or GraphQL, and returns its result. */
export async function callThrough(
  api: Api,
  { rest, graphql }: TestGateway,
  operation: Operation,
  input: Input,
  token?: string,
): Promise<Result> {
  const auth = token === undefined ? {} : { token };
  if (api === 'REST') {
    const [method, path, request] = restRequest(operation, input);
    return restResult(await rest.call(method, path, { ...auth, ...request }));
  }
  return graphqlResult(
    await graphql.call(operation.graphql, { ...auth, variables: variablesOf(operation, input) }),
    operation,
  );
}

/** Runs an operation with a file through REST or GraphQL; the file is sent as a part of a form. */
export async function uploadThrough(
  api: Api,
  { rest, graphql }: TestGateway,
  operation: Operation,
  input: Input,
  { filename, contentType, bytes }: SampleFile,
  token: string,
): Promise<Result> {
  if (api === 'GraphQL') {
    const variables = { input: { ...inputOf(input, operation.names), file: null } };
    const file = { name: filename, type: contentType, bytes };
    return graphqlResult(
      await graphql.upload(operation.graphql, variables, 'variables.input.file', file, token),
      operation,
    );
  }
  const [method, path, { body: fields = {} } = {}] = restRequest(operation, input);
  const escaped = filename.replaceAll(/["\r\n]/g, encodeURIComponent);
  const parts = Object.entries(fields).map(([name, value]) => ({ name, content: String(value) }));
  const form = multipart([...parts, { name: 'file', filename: escaped, type: contentType, content: bytes }]);
  const headers = { ...operation.headers, ...form.headers };
  return restResult(await rest.call(method, path, { token, ...form, headers }));
}

/** Returns the data of an operation that must succeed. */
export function dataOf({ code, data, story }: Result) {
  if (code !== 'OK') throw new Error(`The operation was expected to succeed.\n${story}`);
  return data;
}

/** Messages of what is refused to a service account, and to a token of a sign-in, whatever its role and scopes. */
export const FOR_PERSONS = [1003, 'This is for persons: a service account may not do it, whatever its role and scopes'];
export const NOT_BY_SIGN_IN = [1003, 'A token of a sign-in may not do it: use one that you have created yourself'];

/** Expects an error with this code; its messages are REST's number of the code unless others are given. */
export function expectFailure(result: Result, code: string, messages = [NUMBERS[code]!] as (string | number)[]): void {
  withStory(result, () => expect({ code: result.code, messages: result.messages }).toEqual({ code, messages }));
}

/** Expects a conflict with this reason. */
export function expectConflict({ code, messages, reason, story }: Result, expected: ConflictReason): void {
  const outcome = { code, messages, reason };
  withStory({ story }, () => expect(outcome).toEqual({ code: 'CONFLICT', messages: [1009], reason: expected }));
}

function restRequest(
  { rest, headers: own }: Operation,
  input: Input,
): [method: string, path: string, request?: JsonRequest] {
  const [method, template] = rest.split(' ') as [string, string];
  const { if_match: version, ...others }: Record<string, unknown> = input;
  const path = template.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    delete others[name];
    return encodeURIComponent(String(input[name]));
  });
  const isEmpty = Object.keys(others).length === 0;
  if (method !== 'GET') {
    const sent = { ...own, ...(version !== undefined && { 'if-match': `"${version}"` }) };
    const headers = Object.keys(sent).length === 0 ? {} : { headers: sent };
    const hasNoBody = isEmpty && !['PATCH', 'PUT'].includes(method);
    return [method, path, { ...headers, ...(hasNoBody ? {} : { body: others }) }];
  }
  const query = new URLSearchParams(Object.entries(others).map(([name, value]) => [name, String(value)]));
  return [method, isEmpty ? path : `${path}?${query}`];
}

/** Converts a response of REST to the common form. */
export function restResult(answer: Answer<Envelope>): Result {
  const { data, total } = answer.body;
  const created = answer.status === 201;
  return { ...restOutcome(answer), data, ...(total !== undefined && { total }), created, story: answer.story };
}

function variablesOf({ graphql, names }: Operation, input: Input): object {
  if (/\$(?:first|filter):/.test(graphql)) return listVariables(input, graphql);
  return graphql.includes('$input') ? { input: inputOf(input, names) } : inGraphQLInput(input);
}

function listVariables({ limit, offset, sort, ...others }: Input, document: string): object {
  const [, descending, field] = /^(-?)(\w+)$/.exec(String(sort ?? '')) ?? [];
  const isArgument = ([name]: [string, unknown]) => document.includes(`$${toCamelCase(name)}:`);
  const named = Object.entries(others);
  const filter = named.filter((entry) => !isArgument(entry));
  return {
    ...inGraphQLInput(Object.fromEntries(named.filter(isArgument))),
    ...((filter.length > 0 || document.includes('$filter:')) && { filter: inGraphQLInput(Object.fromEntries(filter)) }),
    ...(limit !== undefined && { first: limit }),
    ...(offset !== undefined && { offset }),
    ...(field && { orderBy: { field: field.toUpperCase(), direction: descending ? 'DESC' : 'ASC' } }),
  };
}

/** Adds the fields that only GraphQL's input has. */
const inputOf = (input: Input, ownNames: Operation['names'] = {}) => {
  const names = { if_match: 'version', ...ownNames } as Readonly<Record<string, string>>;
  return inGraphQLInput(Object.fromEntries(Object.entries(input).map(([name, value]) => [names[name] ?? name, value])));
};

function graphqlResult(answer: Answer<GraphQLResult>, { graphql, at, names = {} }: Operation): Result {
  const outcome = graphqlOutcome(answer);
  for (const [restName, name] of Object.entries(names))
    outcome.messages = outcome.messages.map((each) =>
      typeof each === 'string' ? each.replaceAll(toSnakeCase(name), restName) : each,
    );
  if (outcome.code !== 'OK') return { ...outcome, story: answer.story };
  const path = at.split('.');
  const data = path.reduce((value, key) => value[key], inRestValues(graphql, answer.body.data));
  const list = Array.isArray(data?.nodes) ? { data: data.nodes, total: data.totalCount } : { data };
  return { ...outcome, ...list, created: answer.body.data[path[0]!].created, story: answer.story };
}
