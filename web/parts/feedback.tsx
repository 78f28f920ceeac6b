import type { ComponentChildren } from 'preact';
import type { Answer, Problem, ProblemKind } from '../api.js';
import { text } from '../texts.js';

/** Problems that pages describe in their own words: the gateway's are for programs. */
const SAID = new Set<ProblemKind>(['SIGN_IN', 'STALE', 'UPDATE']);

/** The description of a problem, with the gateway's messages. */
export function Trouble({ problem, children }: { problem: Problem; children?: ComponentChildren }) {
  return (
    <div class="trouble" role="alert">
      <strong>{text(`pages.problem.${problem.kind}`)}</strong>
      {!SAID.has(problem.kind) && problem.messages.map((message) => <p key={message}>{message}</p>)}
      {children}
    </div>
  );
}

interface LoadedProps<Data, Found> {
  answer: Answer<Data>;
  /** The object of the page; null if it does not exist for the reader. */
  find: (data: Data) => Found | null | undefined;
  children: (found: Found) => ComponentChildren;
}

/**
 * The response to a query, a skeleton while it is loading, or its problem. An earlier response remains visible beside a
 * problem.
 */
export function Loaded<Data, Found>({ answer, find, children }: LoadedProps<Data, Found>) {
  const { data, problem, fetching, reload } = answer;
  const found = data === undefined ? undefined : find(data);
  const again = <button onClick={reload}>{text('pages.action.tryAgain')}</button>;
  if (found == null && problem !== undefined)
    return <Trouble problem={problem}>{problem.kind !== 'NOT_FOUND' && again}</Trouble>;
  if (found == null && fetching) return <Sketch />;
  if (found == null) return <Trouble problem={{ kind: 'NOT_FOUND', messages: [] }} />;
  return (
    <>
      {/* Parts that the reader's role may not see are absent: the rest is shown. */}
      {problem !== undefined && problem.kind !== 'FORBIDDEN' && <Trouble problem={problem}>{again}</Trouble>}
      {children(found)}
    </>
  );
}

function Sketch() {
  return (
    <div class="sketch" role="status">
      <span class="unseen">{text('pages.loading')}</span>
      <div class="card" />
      <div class="card" />
    </div>
  );
}
