import type { ComponentChildren } from 'preact';
import { fetchOnce, follow, type Problem } from '../api.js';
import type { TypedDocumentString } from '../gql/graphql.js';
import { Button } from './button.js';
import { Trouble } from './feedback.js';
import { useSending } from './form.js';

interface DownloadProps<Data, Given extends Record<string, unknown>> {
  query: TypedDocumentString<Data, Given>;
  variables: Given;
  /** The signed address in the response; null if the file was deleted. */
  find: (data: Data) => string | null | undefined;
  class?: string;
  children: ComponentChildren;
}

/** A button that downloads a file. Its signed address expires soon, so it is created on demand. */
export function Download<Data, Given extends Record<string, unknown>>(props: DownloadProps<Data, Given>) {
  const { query, variables, find, class: kind, children } = props;
  const sending = useSending();
  const download = async () => {
    const made = await sending.run(async (): Promise<{ address?: string; problem?: Problem | undefined }> => {
      const { data, problem } = await fetchOnce(query, variables);
      const address = data === undefined ? undefined : find(data);
      return address == null ? { problem: problem ?? GONE } : { address };
    });
    if (made?.address !== undefined) follow(made.address);
  };
  return (
    <div>
      <Button class={kind} disabled={sending.sending} onClick={() => void download()}>
        {children}
      </Button>
      {sending.problem !== undefined && <Trouble problem={sending.problem} />}
    </div>
  );
}

const GONE: Problem = { kind: 'NOT_FOUND', messages: [] };
