import { useEffect, useRef, useState } from 'preact/hooks';
import { send, useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { TokensPageQuery } from '../gql/graphql.js';
import { Badge, Card, Empty, Instant } from '../parts/basics.js';
import { About } from '../parts/about.js';
import { Button } from '../parts/button.js';
import { Confirmed } from '../parts/confirmed.js';
import { Loaded, Trouble } from '../parts/feedback.js';
import { useQuery } from '../parts/filter.js';
import { Sent, useSending } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { Pager, pageOf } from '../parts/pager.js';
import { Secret } from '../parts/secret.js';
import { replaceToken, token as tokenInUse } from '../session.js';
import { label, text } from '../texts.js';

const TokensPageDocument = graphql(`
  query TokensPage($first: Int, $last: Int, $after: String, $before: String) {
    viewer {
      user {
        username
      }
      token {
        databaseId
      }
    }
    apiTokens(first: $first, last: $last, after: $after, before: $before) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        databaseId
        version
        name
        prefix
        origin
        scopes
        createdAt
        expiresAt
        lastUsedAt
        revokedAt
        replacedAt
        blockedInOrganizations {
          name
        }
        viewerCan {
          rotate
          revoke
        }
      }
    }
  }
`);

const RotateToken = graphql(`
  mutation RotateToken($input: RotateApiTokenInput!) {
    rotateApiToken(input: $input) {
      token
    }
  }
`);

const RevokeToken = graphql(`
  mutation RevokeToken($input: RevokeApiTokenInput!) {
    revokeApiToken(input: $input) {
      apiToken {
        databaseId
      }
    }
  }
`);

type Token = NonNullable<TokensPageQuery['apiTokens']>['nodes'][number];

export function TokensPage() {
  const query = useQuery();
  const answer = useAnswer(TokensPageDocument, pageOf(query));
  const own = answer.data?.viewer?.token.databaseId;
  // State of the page: a line may move to another page, behind the created token.
  const [made, setMade] = useState<ReadonlyMap<number, string>>(new Map());
  return (
    <Frame title={text('pages.tokens.title')} aside={<span class="quiet">{answer.data?.viewer?.user.username}</span>}>
      <Loaded answer={answer} find={({ apiTokens }) => apiTokens}>
        {({ totalCount, nodes, pageInfo }) => (
          <Card title={text('pages.tokens.title')} count={totalCount}>
            {nodes.length === 0 && <Empty>{text('pages.tokens.none')}</Empty>}
            {[...made]
              .filter(([id]) => !nodes.some(({ databaseId }) => databaseId === id))
              .map(([id, secret]) => (
                <MadeToken key={id} secret={secret} />
              ))}
            <ul class="lines roomy">
              {nodes.map((token) => (
                <TokenLine
                  key={token.databaseId}
                  token={token}
                  isOwn={token.databaseId === own}
                  made={made.get(token.databaseId)}
                  onMade={(secret) => setMade((before) => new Map(before).set(token.databaseId, secret))}
                  onChanged={answer.reload}
                />
              ))}
            </ul>
            <Pager info={pageInfo} query={query} />
          </Card>
        )}
      </Loaded>
    </Frame>
  );
}

interface LineProps {
  token: Token;
  /** Whether these pages use it. */
  isOwn: boolean;
  /** The secret of the token that has replaced it. */
  made: string | undefined;
  onMade: (secret: string) => void;
  onChanged: () => void;
}

function TokenLine({ token, isOwn, made, onMade, onChanged }: LineProps) {
  const { databaseId, version, name, prefix, origin, scopes, createdAt, expiresAt, lastUsedAt, viewerCan } = token;
  const sending = useSending();
  const about = `token-${databaseId}`;
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The button that had the focus was removed.
    if (sending.done && !viewerCan.revoke && document.activeElement === document.body) line.current?.focus();
  }, [viewerCan.revoke]);
  const rotate = async () => {
    const used = tokenInUse();
    const sent = await sending.run(() => send(RotateToken, { input: { tokenId: databaseId, version } }));
    const next = sent?.data?.rotateApiToken?.token;
    if (next !== undefined) {
      onMade(next);
      // The reader may have signed out meanwhile, and another one signed in.
      if (isOwn && tokenInUse() === used) replaceToken(next);
    }
    if (next !== undefined || sent?.problem?.kind === 'STALE') onChanged();
  };
  const revoke = async () => {
    await sending.run(() => send(RevokeToken, { input: { tokenId: databaseId, version } }));
    onChanged();
  };
  return (
    <li ref={line} tabIndex={-1}>
      <span class="line-head">
        <span id={about}>
          <strong>{name === '' ? text('pages.tokens.unnamed') : name}</strong> <code>{prefix}…</code>
        </span>
        <span class="badges">
          {isOwn && <Badge tone="good">{text('pages.tokens.own')}</Badge>}
          <TokenState token={token} />
        </span>
      </span>
      <small>
        {label('TokenOrigin', origin)} · {scopes.map((scope) => label('TokenScope', scope)).join(', ')} ·{' '}
        {text('pages.tokens.created')} <Instant at={createdAt} /> · {text('pages.tokens.expires')}{' '}
        <Instant at={expiresAt} /> ·{' '}
        {lastUsedAt == null ? (
          text('pages.tokens.neverUsed')
        ) : (
          <>
            {text('pages.tokens.lastUsed')} <Instant at={lastUsedAt} />
          </>
        )}
      </small>
      {token.blockedInOrganizations.length > 0 && (
        <small class="bad">
          {text('pages.tokens.blocked', { names: token.blockedInOrganizations.map((each) => each.name).join(', ') })}
        </small>
      )}
      <About.Provider value={about}>
        {(viewerCan.rotate || viewerCan.revoke) && (
          <p class="actions">
            {viewerCan.rotate && (
              <Button disabled={sending.sending} onClick={() => void rotate()}>
                {text('pages.tokens.rotate')}
              </Button>
            )}
            {viewerCan.revoke && (
              <Confirmed
                question={text('pages.tokens.revokeReally')}
                disabled={sending.sending}
                onConfirm={() => void revoke()}
              >
                {text('pages.tokens.revoke')}
              </Confirmed>
            )}
          </p>
        )}
        <Sent sending={sending} done={text('pages.done')} />
        {sending.problem !== undefined && <Trouble problem={sending.problem} />}
        {made !== undefined && <MadeToken secret={made} />}
      </About.Provider>
    </li>
  );
}

function MadeToken({ secret }: { secret: string }) {
  return <Secret value={secret}>{text('pages.tokens.made')}</Secret>;
}

function TokenState({ token: { revokedAt, replacedAt, expiresAt } }: { token: Token }) {
  if (revokedAt != null) return <Badge tone="bad">{text('pages.tokens.revoked')}</Badge>;
  if (Date.parse(expiresAt) < Date.now()) return <Badge tone="bad">{text('pages.tokens.expired')}</Badge>;
  if (replacedAt != null) return <Badge tone="warn">{text('pages.tokens.replaced')}</Badge>;
  return <Badge tone="quiet">{text('pages.tokens.valid')}</Badge>;
}
