import { cacheExchange, Client, fetchExchange, type CombinedError, type OperationResult } from '@urql/core';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { TypedDocumentString } from './gql/graphql.js';
import { ROOT } from './settings.js';
import { endSession, onSession, token } from './session.js';

/** Why there is no answer, as pages distinguish it. */
export type ProblemKind =
  'SIGN_IN' | 'FORBIDDEN' | 'NOT_FOUND' | 'STALE' | 'CONFLICT' | 'INPUT' | 'LIMIT' | 'OFFLINE' | 'FAILED';

export interface Problem {
  kind: ProblemKind;
  /** Sentences of the gateway, in the reader's language; none where it was not reached. */
  messages: readonly string[];
}

let client = newClient();

function newClient(): Client {
  return new Client({
    url: `${ROOT}graphql`,
    exchanges: [cacheExchange, fetchExchange],
    preferGetMethod: false,
    fetchOptions: () => {
      const value = token();
      return { credentials: 'omit', headers: new Headers(value === null ? [] : [['X-Service-Token', value]]) };
    },
  });
}

/** Forgets every answer: those of another token are none of the next one's. */
export function resetAnswers(): void {
  client = newClient();
  for (const forget of forgetting) forget();
}

const forgetting: (() => void)[] = [];

/** Calls `forget`, which drops what was kept of answers, whenever answers are forgotten. */
export function onReset(forget: () => void): void {
  forgetting.push(forget);
}

export interface Answer<Data> {
  data: Data | undefined;
  problem: Problem | undefined;
  /** Whether an answer is under way. */
  fetching: boolean;
  /** Asks again. */
  reload: () => void;
}

type Variables = Record<string, unknown>;

/** The answer to a query, as it was known at first and then as it is; asked again when the reader comes back to the tab. */
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
    const { unsubscribe } = client
      .query<Data>(query.toString(), known, { requestPolicy: 'cache-and-network' })
      .subscribe((result) => {
        const problem = problemOf(result);
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
    const off = onSession((session) => session === 'OPEN' && reload());
    return () => {
      document.removeEventListener('visibilitychange', back);
      removeEventListener('online', reload);
      off();
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

/** Sends a mutation once. Resolves with what it answers, or with why it did not. */
export async function send<Data, Given extends Variables>(
  mutation: TypedDocumentString<Data, Given>,
  variables: Given,
): Promise<{ data: Data; problem?: undefined } | { data?: undefined; problem: Problem }> {
  const result = await client.mutation<Data>(mutation.toString(), variables).toPromise();
  const problem = problemOf(result);
  if (problem !== undefined) return { problem };
  return { data: result.data! };
}

/** Asks once, past what is known. */
export async function ask<Data, Given extends Variables>(query: TypedDocumentString<Data, Given>, variables: Given) {
  const options = { requestPolicy: 'network-only' } as const;
  const result = await client.query<Data>(query.toString(), variables, options).toPromise();
  return { data: result.data ?? undefined, problem: problemOf(result) };
}

function problemOf({ error }: OperationResult): Problem | undefined {
  if (error === undefined) return undefined;
  const problem = { kind: kindOf(error), messages: [...new Set(error.graphQLErrors.map(({ message }) => message))] };
  if (problem.kind === 'SIGN_IN') endSession();
  return problem;
}

const KINDS: Readonly<Record<string, ProblemKind>> = {
  UNAUTHENTICATED: 'SIGN_IN',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  GONE: 'NOT_FOUND',
  PRECONDITION_FAILED: 'STALE',
  BAD_USER_INPUT: 'INPUT',
  RATE_LIMITED: 'LIMIT',
  CONFLICT: 'CONFLICT',
};

function kindOf({ networkError, graphQLErrors }: CombinedError): ProblemKind {
  const [first] = graphQLErrors;
  if (first === undefined) return networkError === undefined ? 'FAILED' : 'OFFLINE';
  const { code, reason } = first.extensions as { code?: string; reason?: string };
  if (reason === 'STALE_VERSION') return 'STALE';
  return KINDS[code ?? ''] ?? 'FAILED';
}
