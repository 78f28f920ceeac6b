import { useEffect, useRef } from 'preact/hooks';
import { fetchOnce, resetAnswers, send, type Problem } from '../api.js';
import { graphql } from '../gql/index.js';
import { closeSession } from '../session.js';
import { text } from '../texts.js';
import { Button } from './button.js';
import { Trouble } from './feedback.js';
import { useSending } from './form.js';

const OwnToken = graphql(`
  query OwnToken {
    viewer {
      token {
        databaseId
        origin
      }
    }
  }
`);

const RevokeOwnToken = graphql(`
  mutation RevokeOwnToken($input: RevokeApiTokenInput!) {
    revokeApiToken(input: $input) {
      apiToken {
        id
      }
    }
  }
`);

/** Ends the token of a sign-in, which only these pages use; a pasted token remains valid for its owner. */
async function endSignIn(): Promise<{ problem?: Problem | undefined }> {
  const { data, problem } = await fetchOnce(OwnToken, {});
  const own = data?.viewer?.token;
  if (problem !== undefined || own?.origin !== 'SIGN_IN') return { problem };
  return send(RevokeOwnToken, { input: { tokenId: own.databaseId } });
}

function forget(): void {
  resetAnswers();
  closeSession();
}

/** The session remains until the gateway has ended the sign-in, or the reader decides otherwise. */
export function SignOut() {
  const sending = useSending();
  const signOut = async () => {
    const ended = await sending.run(endSignIn);
    // A token that the gateway rejects has ended already.
    if (ended !== undefined && (ended.problem === undefined || ended.problem.kind === 'SIGN_IN')) forget();
  };
  return (
    <>
      <Button class="plain" disabled={sending.sending} onClick={() => void signOut()}>
        {text('pages.signOut')}
      </Button>
      {sending.problem !== undefined && sending.problem.kind !== 'SIGN_IN' && (
        <StillSignedIn
          problem={sending.problem}
          isSending={sending.sending}
          onRetry={() => void signOut()}
          onStay={sending.clear}
        />
      )}
    </>
  );
}

interface StillSignedInProps {
  problem: Problem;
  isSending: boolean;
  onRetry: () => void;
  onStay: () => void;
}

function StillSignedIn({ problem, isSending, onRetry, onStay }: StillSignedInProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="still-signed-in" onClose={onStay}>
      <h2 id="still-signed-in">{text('pages.signOut.failed')}</h2>
      <Trouble problem={problem} />
      <p>{text('pages.signOut.kept')}</p>
      <p class="actions">
        <Button class="primary" disabled={isSending} onClick={onRetry}>
          {text('pages.action.tryAgain')}
        </Button>{' '}
        <button onClick={() => dialog.current?.close()}>{text('pages.signOut.stay')}</button>{' '}
        <button class="danger" onClick={forget}>
          {text('pages.signOut.forget')}
        </button>
      </p>
    </dialog>
  );
}
