import { useEffect, useRef, useState } from 'preact/hooks';
import { fetchOnce, resetAnswers, send, type Problem } from '../api.js';
import { graphql } from '../gql/index.js';
import { CAN_SIGN_IN, closeSession, leaveForSignIn, openSession, takeSignIn } from '../session.js';
import { Button } from '../parts/button.js';
import { Field, useSending } from '../parts/form.js';
import { Trouble } from '../parts/feedback.js';
import { SiteBar } from '../parts/frame.js';
import { go, link } from '../router.js';
import { text } from '../texts.js';

const TokenOwner = graphql(`
  query TokenOwner {
    viewer {
      user {
        databaseId
      }
    }
  }
`);

/** A form for a token, or links to the sign-in of the reader's organization and back. */
function SignInForm() {
  const sending = useSending();
  const [typed, setTyped] = useState('');
  const enter = async () => {
    const entered = typed.trim();
    const answer = await sending.run(() => fetchOnce(TokenOwner, {}, entered));
    if (answer?.data?.viewer == null) return;
    resetAnswers();
    openSession(entered, answer.data.viewer.user.databaseId);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      {CAN_SIGN_IN && (
        <>
          <button type="button" class="primary whole" onClick={() => void leaveForSignIn()}>
            {text('pages.signIn.provider')}
          </button>
          <p class="or">{text('pages.signIn.or')}</p>
        </>
      )}
      <Field label={text('pages.signIn.token')} hint={text('pages.signIn.tokenKept')}>
        <input
          type="password"
          autocomplete="off"
          required
          maxLength={200}
          pattern="\s*[A-Za-z0-9_]+\s*"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </Field>
      {sending.problem?.kind === 'SIGN_IN' && (
        <p class="trouble" role="alert">
          {text('pages.signIn.refused')}
        </p>
      )}
      {sending.problem !== undefined && sending.problem.kind !== 'SIGN_IN' && <Trouble problem={sending.problem} />}
      <Button class={CAN_SIGN_IN ? 'whole' : 'primary whole'} disabled={sending.sending}>
        {text('pages.signIn.open')}
      </Button>
    </form>
  );
}

/** Shown in place of every page without a token; the address remains, and its page opens afterwards. */
export function SignInPage() {
  useEffect(() => {
    document.title = [text('pages.signIn.title'), text('pages.gateway')].join(' – ');
  }, []);
  return (
    <>
      <SiteBar />
      <main id="content" class="narrow">
        <section class="card">
          <h1>{text('pages.signIn.title')}</h1>
          <SignInForm />
        </section>
      </main>
    </>
  );
}

/** Shown over a page whose token has ended: the text entered on it is preserved. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    // A dialog that is removed from the page does not return the focus.
    return () => before?.focus();
  }, []);
  return (
    // Browsers close a dialog at the second Escape, whatever the page does.
    <dialog ref={dialog} aria-labelledby="sign-in-again" onClose={() => dialog.current?.showModal()}>
      <h2 id="sign-in-again">{text('pages.signIn.again')}</h2>
      <p>{text('pages.signIn.ended')}</p>
      <SignInForm />
      <button class="plain" onClick={closeSession}>
        {text('pages.signOut')}
      </button>
    </dialog>
  );
}

const ExchangeCode = graphql(`
  mutation ExchangeCode($input: ExchangeSignInCodeInput!) {
    exchangeSignInCode(input: $input) {
      token
      userId
    }
  }
`);

/** Target of the redirect after a sign-in: removes the code from the address and opens the previous page. */
export function SignedInPage() {
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => void finish().then(setProblem), []);
  return (
    <>
      <SiteBar />
      <main id="content" class="narrow">
        <section class="card">
          <h1>{text('pages.signIn.title')}</h1>
          {problem === undefined ? (
            <p role="status">{text('pages.loading')}</p>
          ) : (
            <Trouble problem={problem}>
              <a href={link`portfolio`}>{text('pages.signIn.beginAgain')}</a>
            </Trouble>
          )}
        </section>
      </main>
    </>
  );
}

async function finish(): Promise<Problem | undefined> {
  const begun = takeSignIn(new URLSearchParams(location.search));
  history.replaceState(null, '', location.pathname);
  if (begun === undefined) return { kind: 'FAILED', messages: [text('pages.signIn.otherTab')] };
  const { data, problem } = await send(ExchangeCode, { input: begun.input });
  if (problem !== undefined) return problem;
  resetAnswers();
  go(begun.back, 'replace');
  openSession(data.exchangeSignInCode!.token, data.exchangeSignInCode!.userId);
  return undefined;
}
