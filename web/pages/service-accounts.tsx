import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import { Badge, Card, Empty, Instant, More } from '../parts/basics.js';
import { Loaded } from '../parts/feedback.js';
import { useQuery } from '../parts/filter.js';
import { Frame } from '../parts/frame.js';
import { Pager, pageOf } from '../parts/pager.js';
import type { Parts } from '../router.js';
import { ROOT } from '../settings.js';
import { label, text } from '../texts.js';

const ServiceAccountsPageDocument = graphql(`
  query ServiceAccountsPage($id: ID!, $first: Int, $last: Int, $after: String, $before: String) {
    organization(id: $id) {
      ...OrganizationHeader
      serviceAccounts(first: $first, last: $last, after: $after, before: $before) {
        totalCount
        pageInfo {
          ...PageLinks
        }
        nodes {
          databaseId
          name
          description
          role
          lastUsedAt
          responsible {
            username
          }
          tokens(first: 25) {
            totalCount
            nodes {
              databaseId
              name
              prefix
              expiresAt
              revokedAt
            }
          }
        }
      }
    }
  }
`);

export function ServiceAccountsPage({ parts: { id = '' } }: { parts: Parts }) {
  const query = useQuery();
  const answer = useAnswer(ServiceAccountsPageDocument, { id, ...pageOf(query) });
  const header = answer.data?.organization;
  return (
    <Frame title={text('pages.tab.serviceAccounts')} organization={{ id, header, tab: 'serviceAccounts' }}>
      <Loaded answer={answer} find={({ organization }) => organization?.serviceAccounts}>
        {({ totalCount, nodes, pageInfo }) => (
          <Card title={text('pages.tab.serviceAccounts')} count={totalCount}>
            {nodes.length === 0 && (
              <Empty>
                {text('pages.accounts.none')}{' '}
                <a href={`${ROOT}guides/service-accounts`}>{text('pages.accounts.create')}</a>
              </Empty>
            )}
            <ul class="lines roomy">
              {nodes.map((each) => (
                <li key={each.databaseId}>
                  <span class="line-head">
                    <strong>{each.name}</strong>
                    <Badge tone="quiet">{label('Role', each.role)}</Badge>
                  </span>
                  <small>
                    {each.responsible != null && (
                      <>{text('pages.accounts.responsible', { name: each.responsible.username })} · </>
                    )}
                    {each.lastUsedAt == null ? (
                      text('pages.tokens.neverUsed')
                    ) : (
                      <>
                        {text('pages.tokens.lastUsed')} <Instant at={each.lastUsedAt} />
                      </>
                    )}
                  </small>
                  {Boolean(each.description) && <p class="written">{each.description}</p>}
                  {each.tokens.nodes
                    .filter(({ revokedAt }) => revokedAt == null)
                    .map((token) => (
                      <small key={token.databaseId}>
                        <code>{token.prefix}…</code> {token.name} · {text('pages.tokens.expires')}{' '}
                        <Instant at={token.expiresAt} />
                      </small>
                    ))}
                  <More count={each.tokens.totalCount - each.tokens.nodes.length} />
                </li>
              ))}
            </ul>
            <Pager info={pageInfo} query={query} />
          </Card>
        )}
      </Loaded>
    </Frame>
  );
}
