import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { EngagementPageQuery, RequestLineFragment, SignOffLineFragment } from '../gql/graphql.js';
import { About } from '../parts/about.js';
import { Badge, Card, Empty, Instant, Zone } from '../parts/basics.js';
import { EngagementExport } from '../parts/engagement-export.js';
import { AnswerForm, RequestForm, SignOffForm } from '../parts/engagement-forms.js';
import {
  EngagementScope,
  Further,
  WorkflowName,
  WorkflowNames,
  type EngagementIds,
} from '../parts/engagement-scope.js';
import { Loaded } from '../parts/feedback.js';
import { Frame } from '../parts/frame.js';
import { link, type Parts } from '../router.js';
import { text } from '../texts.js';

const EngagementPageDocument = graphql(`
  query EngagementPage($organizationId: ID!, $id: ID!) {
    viewer {
      user {
        username
      }
    }
    engagement(organizationId: $organizationId, id: $id) {
      name
      organizationName
      timeZone
      from
      to
      until
      asOf
      workflows {
        workflowId
        name
      }
      auditors {
        userId
        username
      }
      requests(first: 25) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...RequestLine
          version
        }
      }
      signOffs(first: 25) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...SignOffLine
        }
      }
    }
  }
`);

const EngagementRequestsDocument = graphql(`
  query EngagementRequests($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
    engagement(organizationId: $organizationId, id: $id) {
      part: requests(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...RequestLine
          version
        }
      }
    }
  }
`);

const EngagementSignOffsDocument = graphql(`
  query EngagementSignOffs($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
    engagement(organizationId: $organizationId, id: $id) {
      part: signOffs(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...SignOffLine
        }
      }
    }
  }
`);

type Engagement = NonNullable<EngagementPageQuery['engagement']>;

/** A separate query: for a non-member the organization does not exist. */
const EngagementMemberDocument = graphql(`
  query EngagementMember($organizationId: ID!) {
    organization(id: $organizationId) {
      viewerPrivileges
    }
  }
`);

/** Auditors are not members: the page requests only the engagement of the organization. */
export function EngagementPage({ parts: { id = '', engagement = '' } }: { parts: Parts }) {
  const answer = useAnswer(EngagementPageDocument, { organizationId: id, id: engagement });
  const found = answer.data?.engagement;
  const viewer = answer.data?.viewer;
  const ids = { organizationId: id, id: engagement };
  const isAuditor = found?.auditors.some(({ username }) => username === viewer?.user.username) ?? false;
  const member = useAnswer(EngagementMemberDocument, { organizationId: id });
  const privileges = member.data?.organization?.viewerPrivileges;
  const isOnlyAuditor = isAuditor && privileges === undefined && !member.fetching;
  return (
    <Frame
      title={found?.name ?? text('pages.engagement.title')}
      aside={<span class="quiet">{found?.organizationName}</span>}
    >
      <Loaded answer={answer} find={(data) => data.engagement}>
        {(shown) => (
          <Zone.Provider value={shown.timeZone}>
            <WorkflowNames.Provider value={new Map(shown.workflows.map(({ workflowId, name }) => [workflowId, name]))}>
              <div class="columns scoped">
                <Scope {...{ ids, engagement: shown }} />
                <div>
                  <Requests
                    {...{ ids, engagement: shown }}
                    isMember={privileges !== undefined}
                    mayAnswer={privileges?.includes('ANSWER_REQUESTS') ?? false}
                    onSent={answer.reload}
                  />
                  {isOnlyAuditor && <RequestForm {...{ ids, workflows: shown.workflows, onSent: answer.reload }} />}
                  <SignOffs {...{ ids, engagement: shown }} />
                  {isOnlyAuditor && <SignOffForm {...{ ids, workflows: shown.workflows, onSent: answer.reload }} />}
                  <EngagementScope ids={ids} />
                </div>
              </div>
            </WorkflowNames.Provider>
          </Zone.Provider>
        )}
      </Loaded>
    </Frame>
  );
}

interface PartProps {
  ids: EngagementIds;
  engagement: Engagement;
}

interface RequestsProps extends PartProps {
  /** Only members have a page of controls. */
  isMember: boolean;
  mayAnswer: boolean;
  onSent: () => void;
}

function Requests({ ids, engagement: { requests }, isMember, mayAnswer, onSent }: RequestsProps) {
  const { organizationId } = ids;
  const line = (each: RequestLineFragment & { version: number }, reload: () => void) => {
    const { workflowId, controlId } = each;
    const [of, by] = [`request-${each.evidenceRequestId}`, `request-${each.evidenceRequestId}-by`];
    const control = (
      <span id={of}>
        <strong>{controlId}</strong> <WorkflowName id={workflowId} />
      </span>
    );
    return (
      <li key={each.evidenceRequestId}>
        <span class="line-head">
          {isMember ? (
            <a href={link`organizations/${organizationId}/workflows/${workflowId}/controls/${controlId}`}>{control}</a>
          ) : (
            control
          )}
          <RequestBadge request={each} />
        </span>
        <p class="written">{each.text}</p>
        {each.answer != null && <blockquote class="written">{each.answer}</blockquote>}
        <small id={by}>
          <bdi>{each.createdBy.username}</bdi> · <Instant at={each.createdAt} />
        </small>
        <About.Provider value={`${of} ${by}`}>
          {mayAnswer && <AnswerForm {...{ ids, request: each, onSent: reload, onStale: reload }} />}
        </About.Provider>
      </li>
    );
  };
  return (
    <Card title={text('pages.engagement.requests')} count={requests?.totalCount}>
      {!requests?.totalCount && <Empty>{text('pages.engagement.noRequests')}</Empty>}
      <ul class="lines roomy">{requests?.nodes.map((each) => line(each, onSent))}</ul>
      {requests != null && (
        // The following ones are others if some were inserted before them.
        <Further
          key={requests.pageInfo.endCursor}
          {...{ ids, document: EngagementRequestsDocument, line, pageInfo: requests.pageInfo }}
        />
      )}
    </Card>
  );
}

function RequestBadge({ request: { closedAt, answeredAt } }: { request: RequestLineFragment }) {
  if (closedAt != null) return <Badge tone="quiet">{text('pages.engagement.closed')}</Badge>;
  if (answeredAt != null) return <Badge tone="good">{text('pages.engagement.answered')}</Badge>;
  return <Badge tone="warn">{text('pages.engagement.open')}</Badge>;
}

function SignOffs({ ids, engagement: { signOffs } }: PartProps) {
  return (
    <Card title={text('pages.engagement.signOffs')} count={signOffs?.totalCount}>
      {!signOffs?.totalCount && <Empty>{text('pages.engagement.noSignOffs')}</Empty>}
      <ul class="lines roomy">{signOffs?.nodes.map(signOffLine)}</ul>
      {signOffs != null && (
        <Further
          key={signOffs.pageInfo.endCursor}
          {...{ ids, document: EngagementSignOffsDocument, line: signOffLine, pageInfo: signOffs.pageInfo }}
        />
      )}
    </Card>
  );
}

const signOffLine = (each: SignOffLineFragment) => (
  <li key={each.signOffId}>
    <span>
      {each.controlId != null && <strong>{each.controlId} </strong>}
      <WorkflowName id={each.workflowId} />
    </span>
    <p class="written">{each.statement}</p>
    <small>
      <bdi>{each.createdBy.username}</bdi> · <Instant at={each.createdAt} />
    </small>
  </li>
);

function Scope({ ids, engagement }: PartProps) {
  const { from, to, until, asOf, workflows, auditors } = engagement;
  const isOver = Math.min(Date.parse(to), Date.parse(until)) <= Date.now();
  return (
    <Card title={text('pages.engagement.scope')}>
      <p role="status">
        {asOf == null ? (
          text(isOver ? 'pages.engagement.untold' : 'pages.engagement.asNow')
        ) : (
          <>
            {text('pages.engagement.asOf')} <Instant at={asOf} />
          </>
        )}
      </p>
      <dl class="facts below">
        <dt>{text('pages.engagement.period')}</dt>
        <dd>
          <Instant at={from} /> – <Instant at={to} />
        </dd>
        <dt>{text('pages.engagement.until')}</dt>
        <dd>
          <Instant at={until} />
        </dd>
        <dt>{text('pages.engagement.workflows')}</dt>
        <dd>{workflows.map(({ workflowId, name }) => name ?? workflowId).join(', ')}</dd>
        <dt>{text('pages.engagement.auditors')}</dt>
        <dd>{auditors.map(({ username }) => username).join(', ') || '–'}</dd>
      </dl>
      <EngagementExport {...{ ids }} name={engagement.name} />
    </Card>
  );
}
