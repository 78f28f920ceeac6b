import { cacheExchange, Client, fetchExchange, type CombinedError, type OperationResult } from '@urql/core';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { TypedDocumentString } from './gql/graphql.js';
import { onAgain } from './router.js';
import { here, ROOT } from './settings.js';
import { changeKey, endSession, forgetChange, onSession, token } from './session.js';
import { readAnew, stayOpen } from './update.js';

/** Reason of a missing response, as pages distinguish it. */
export type ProblemKind =
  | 'SIGN_IN'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'STALE'
  | 'CONFLICT'
  | 'INPUT'
  | 'LIMIT'
  | 'BUSY'
  | 'UPDATE'
  | 'OFFLINE'
  | 'FAILED';

export interface Problem {
  kind: ProblemKind;
  /** Sentences of the gateway, in the reader's language; empty if it was not reached. */
  messages: readonly string[];
  /** Sentences about a field of the input, by its name. */
  fields?: Readonly<Record<string, string>>;
}

let client = newClient();

function newClient(): Client {
  return new Client({
    url: `${ROOT}graphql`,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    fetchOptions,
  });
}

function fetchOptions(value = token()): RequestInit & { headers: Headers } {
  return { credentials: 'omit', headers: new Headers(value === null ? [] : [['X-Service-Token', value]]) };
}

/** Clears the cache: responses to another token must not be shown with the next one. */
export function resetAnswers(): void {
  client = newClient();
  for (const forget of forgetting) forget();
}

const forgetting: (() => void)[] = [];

/** Calls `forget`, which clears data derived from responses, whenever the cache is cleared. */
export function onReset(forget: () => void): void {
  forgetting.push(forget);
}

export interface Answer<Data> {
  data: Data | undefined;
  problem: Problem | undefined;
  /** Whether a request is in progress. */
  fetching: boolean;
  /** Sends the query again. */
  reload: () => void;
}

type Variables = Record<string, unknown>;

/**
 * The response to a query: first from the cache, then from the gateway. Sent again when the reader returns to the tab
 * or follows a link to the open page.
 */
export function useAnswer<Data, Given extends Variables>(
  query: TypedDocumentString<Data, Given>,
  variables: Given,
): Answer<Data> {
  const key = JSON.stringify(variables);
  const [state, setState] = useState<{ key: string; data?: Data; problem?: Problem; fetching: boolean }>({
    ...{ key, fetching: true },
  });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((each) => each + 1), []);
  useEffect(() => {
    const known = JSON.parse(key) as Variables;
    const used = token();
    const { unsubscribe } = client
      .query<Data>(query.toString(), known, { requestPolicy: 'cache-and-network' })
      .subscribe((result) => {
        const problem = problemOf(result, used);
        setState((before) => {
          const data = result.data ?? (problem !== undefined && before.key === key ? before.data : undefined);
          return { key, fetching: result.stale, ...(data != null && { data }), ...(problem && { problem }) };
        });
      });
    return unsubscribe;
  }, [query, key, round]);
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && reload();
    document.addEventListener('visibilitychange', back);
    addEventListener('online', reload);
    const off = [onSession((session) => session === 'OPEN' && reload()), onAgain(reload)];
    return () => {
      document.removeEventListener('visibilitychange', back);
      removeEventListener('online', reload);
      for (const each of off) each();
    };
  }, [reload]);
  const isOther = state.key !== key;
  return {
    data: isOther ? undefined : state.data,
    problem: isOther ? undefined : state.problem,
    fetching: isOther || state.fetching,
    reload,
  };
}

/**
 * Sends a mutation. Resolves with its response, or with the reason why there is none. A repeated one after a lost
 * response gets the first response, and changes nothing more.
 */
export async function send<Data, Given extends Variables>(
  mutation: TypedDocumentString<Data, Given>,
  variables: Given,
): Promise<{ data: Data; problem?: undefined } | { data?: undefined; problem: Problem }> {
  const change = JSON.stringify([mutation.toString(), variables]);
  const options = fetchOptions();
  options.headers.set('Idempotency-Key', changeKey(change));
  const used = token();
  const answered = stayOpen();
  const result = await client.mutation<Data>(mutation.toString(), variables, { fetchOptions: options }).toPromise();
  answered();
  const problem = problemOf(result, used);
  if (problem !== undefined) return { problem };
  forgetChange(change);
  return { data: result.data! };
}

/** A file, or the reason why there is none. */
export interface Loading {
  file?: File;
  problem?: Problem;
}

/** Downloads a file of the gateway by its signed address; an interrupted download is a problem, not a file. */
export async function load(address: string): Promise<Loading> {
  try {
    const response = await fetch(here(address), { credentials: 'omit' });
    if (response.ok) return { file: new File([await response.blob()], fileNameOf(response)) };
    const { messages } = (await response.json()) as { messages: unknown[] };
    const kind = STATUSES[response.status] ?? 'FAILED';
    return { problem: { kind, messages: messages.filter((message) => typeof message === 'string') } };
  } catch {
    return { problem: { kind: 'OFFLINE', messages: [] } };
  }
}

/**
 * Makes the browser download a file of any size by its signed address; the page remains, also if the download fails.
 */
export function follow(address: string): void {
  Object.assign(document.createElement('a'), { href: here(address), download: '' }).click();
}

const STATUSES: Readonly<Record<number, ProblemKind>> = {
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'LIMIT',
  503: 'BUSY',
};

function fileNameOf({ headers }: Response): string {
  const said = headers.get('Content-Disposition') ?? '';
  const [, extended] = /filename\*=UTF-8''([^;]+)/.exec(said) ?? [];
  return extended === undefined ? (/filename="([^"]+)"/.exec(said)?.[1] ?? '') : decodeURIComponent(extended);
}

/** Saves a file through the browser, like a download. */
export function saveFile(file: File): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: file.name }).click();
  URL.revokeObjectURL(address);
}

/** Sends a query once, without the cache; with another token than that of the session, if given. */
export async function fetchOnce<Data, Given extends Variables>(
  query: TypedDocumentString<Data, Given>,
  variables: Given,
  used = token(),
) {
  const options = { requestPolicy: 'network-only', fetchOptions: fetchOptions(used) } as const;
  const result = await client.query<Data>(query.toString(), variables, options).toPromise();
  return { data: result.data ?? undefined, problem: problemOf(result, used) };
}

/** `used` is the token that was sent: a late response does not end a session with another one. */
function problemOf({ error }: OperationResult, used: string | null): Problem | undefined {
  if (error === undefined) return undefined;
  // Errors of fields that the reader's role may not see do not explain why the rest is missing.
  const others = error.graphQLErrors.filter(({ extensions }) => extensions['code'] !== 'FORBIDDEN');
  const reported = others.length > 0 ? others : error.graphQLErrors;
  const messages = [...new Set(reported.filter(saysMore).map(({ message }) => message))];
  const problem = { kind: kindOf(reported[0], error), messages, fields: fieldsOf(reported) };
  if (problem.kind === 'SIGN_IN' && token() === used) endSession();
  if (problem.kind === 'UPDATE') readAnew();
  return problem;
}

/** Whether an error has more information than its code, which pages have their own words for. */
function saysMore({ extensions }: CombinedError['graphQLErrors'][number]): boolean {
  const { code, messages } = extensions as { code?: string; messages?: unknown[] };
  return !SAID_BY_PAGES.has(code ?? '') || messages?.every((each) => typeof each === 'number') !== true;
}

const SAID_BY_PAGES: ReadonlySet<string> = new Set(['FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE']);

function fieldsOf(errors: CombinedError['graphQLErrors']): Readonly<Record<string, string>> {
  type Fields = readonly { path: readonly (string | number)[]; message: string }[];
  const fields = errors.flatMap(({ extensions }) => (extensions['fields'] ?? []) as Fields);
  return Object.fromEntries(fields.map(({ path, message }) => [path.slice(1).join('.'), message]));
}

const KINDS: Readonly<Record<string, ProblemKind>> = {
  UNAUTHENTICATED: 'SIGN_IN',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  GONE: 'NOT_FOUND',
  PRECONDITION_FAILED: 'STALE',
  BAD_USER_INPUT: 'INPUT',
  RATE_LIMITED: 'LIMIT',
  UNAVAILABLE: 'BUSY',
  CONFLICT: 'CONFLICT',
};

function kindOf(
  first: CombinedError['graphQLErrors'][number] | undefined,
  { networkError }: CombinedError,
): ProblemKind {
  if (first === undefined) return networkError === undefined ? 'FAILED' : 'OFFLINE';
  const { code, reason } = first.extensions as { code?: string; reason?: string };
  if (reason === 'STALE_VERSION') return 'STALE';
  if (isOfDocument(first)) return 'UPDATE';
  return KINDS[code ?? ''] ?? 'FAILED';
}

/**
 * Whether the gateway's schema rejects a document of these pages: such an error has a location in the document, and
 * neither a path nor a field of the input.
 */
function isOfDocument({ path, extensions, ...error }: CombinedError['graphQLErrors'][number]): boolean {
  const { code, fields } = extensions as { code?: string; fields?: unknown };
  return code === 'BAD_USER_INPUT' && path === undefined && fields === undefined && 'locations' in error;
}
