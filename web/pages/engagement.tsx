import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import { Badge, Card, Empty, Instant } from '../parts/basics.js';
import { Loaded } from '../parts/feedback.js';
import { Frame } from '../parts/frame.js';
import { link, type Parts } from '../router.js';
import { text } from '../texts.js';

const EngagementPageDocument = graphql(`
  query EngagementPage($organizationId: ID!, $id: ID!) {
    engagement(organizationId: $organizationId, engagementId: $id) {
      name
      organizationName
      from
      to
      until
      workflows
      auditors {
        userId
        username
      }
      requests(last: 25) {
        totalCount
        nodes {
          requestId
          workflowId
          controlId
          text
          answer
          createdAt
          answeredAt
          closedAt
          createdBy {
            username
          }
        }
      }
      signOffs(last: 25) {
        totalCount
        nodes {
          signOffId
          workflowId
          controlId
          statement
          createdAt
          createdBy {
            username
          }
        }
      }
    }
  }
`);

/** Auditors are no members: the page asks for nothing of the organization but the engagement. */
export function EngagementPage({ parts: { id = '', engagement = '' } }: { parts: Parts }) {
  const answer = useAnswer(EngagementPageDocument, { organizationId: id, id: engagement });
  const found = answer.data?.engagement;
  return (
    <Frame
      title={found?.name ?? text('pages.engagement.title')}
      aside={<span class="quiet">{found?.organizationName}</span>}
    >
      <Loaded answer={answer} find={(data) => data.engagement}>
        {(shown) => (
          <div class="columns">
            <div>
              <Card title={text('pages.engagement.requests')} count={shown.requests?.totalCount}>
                {!shown.requests?.totalCount && <Empty>{text('pages.engagement.noRequests')}</Empty>}
                <ul class="lines roomy">
                  {shown.requests?.nodes.map((each) => (
                    <li key={each.requestId}>
                      <span class="line-head">
                        <a href={link`organizations/${id}/workflows/${each.workflowId}/controls/${each.controlId}`}>
                          <strong>{each.controlId}</strong> {each.workflowId}
                        </a>
                        <Badge tone={each.closedAt != null ? 'quiet' : each.answeredAt != null ? 'good' : 'warn'}>
                          {text(
                            each.closedAt != null
                              ? 'pages.engagement.closed'
                              : each.answeredAt != null
                                ? 'pages.engagement.answered'
                                : 'pages.engagement.open',
                          )}
                        </Badge>
                      </span>
                      <p class="written">{each.text}</p>
                      {each.answer != null && <blockquote class="written">{each.answer}</blockquote>}
                      <small>
                        {each.createdBy.username} · <Instant at={each.createdAt} />
                      </small>
                    </li>
                  ))}
                </ul>
              </Card>
              <Card title={text('pages.engagement.signOffs')} count={shown.signOffs?.totalCount}>
                {!shown.signOffs?.totalCount && <Empty>{text('pages.engagement.noSignOffs')}</Empty>}
                <ul class="lines roomy">
                  {shown.signOffs?.nodes.map((each) => (
                    <li key={each.signOffId}>
                      <strong>
                        {each.workflowId} {each.controlId}
                      </strong>
                      <p class="written">{each.statement}</p>
                      <small>
                        {each.createdBy.username} · <Instant at={each.createdAt} />
                      </small>
                    </li>
                  ))}
                </ul>
              </Card>
            </div>
            <Card title={text('pages.engagement.scope')}>
              <dl class="facts">
                <dt>{text('pages.engagement.period')}</dt>
                <dd>
                  <Instant at={shown.from} /> – <Instant at={shown.to} />
                </dd>
                <dt>{text('pages.engagement.until')}</dt>
                <dd>
                  <Instant at={shown.until} />
                </dd>
                <dt>{text('pages.engagement.workflows')}</dt>
                <dd>{shown.workflows.join(', ')}</dd>
                <dt>{text('pages.engagement.auditors')}</dt>
                <dd>{shown.auditors.map(({ username }) => username).join(', ') || '–'}</dd>
              </dl>
            </Card>
          </div>
        )}
      </Loaded>
    </Frame>
  );
}
