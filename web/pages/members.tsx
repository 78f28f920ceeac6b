import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { MemberLinesFragment, Role } from '../gql/graphql.js';
import { Badge, Card, Empty, Instant } from '../parts/basics.js';
import { useName } from '../parts/about.js';
import { Loaded } from '../parts/feedback.js';
import { Filter, useQuery } from '../parts/filter.js';
import { optionsOf } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { Pager, pageOf } from '../parts/pager.js';
import { link, type Parts } from '../router.js';
import { label, text } from '../texts.js';

graphql(`
  fragment MemberLines on OrganizationUser {
    userId
    username
    firstName
    lastName
    email
    role
    active
    joinedAt
  }
`);

const MembersPageDocument = graphql(`
  query MembersPage(
    $id: ID!
    $first: Int
    $last: Int
    $after: String
    $before: String
    $filter: OrganizationUserFilter
  ) {
    organization(id: $id) {
      ...OrganizationHeader
      users(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
        totalCount
        pageInfo {
          ...PageLinks
        }
        nodes {
          ...MemberLines
        }
      }
    }
  }
`);

const ROLES: readonly Role[] = [
  'ORGANIZATION_OWNER',
  'ORGANIZATION_MANAGER',
  'SECURITY_OFFICER',
  'SECURITY_ANALYST',
  'VIEWER',
];

export function MembersPage({ parts: { id = '' } }: { parts: Parts }) {
  const query = useQuery();
  const role = ROLES.find((each) => each === query.get('role'));
  const answer = useAnswer(MembersPageDocument, { id, filter: role === undefined ? null : { role }, ...pageOf(query) });
  return (
    <Frame title={text('pages.tab.members')} organization={{ id, header: answer.data?.organization, tab: 'members' }}>
      <Filter choices={[{ name: 'role', label: text('pages.members.role'), options: optionsOf('Role', ROLES) }]}>
        <Loaded answer={answer} find={({ organization }) => organization?.users}>
          {({ totalCount, nodes, pageInfo }) => (
            <Card title={text('pages.tab.members')} count={totalCount}>
              {nodes.length === 0 && <Empty>{text('pages.members.none')}</Empty>}
              <ul class="lines">
                {nodes.map((each) => (
                  <Member key={each.userId} organizationId={id} member={each} />
                ))}
              </ul>
              <Pager info={pageInfo} query={query} />
            </Card>
          )}
        </Loaded>
      </Filter>
    </Frame>
  );
}

const nameOf = ({ firstName, lastName, username }: MemberLinesFragment) =>
  [firstName, lastName].filter(Boolean).join(' ') || username;

function Member({ organizationId, member }: { organizationId: string; member: MemberLinesFragment }) {
  const username = `member-${member.userId}`;
  const name = useName(username);
  return (
    <li>
      <span class="line-head">
        <a {...name} href={link`organizations/${organizationId}/users/${member.userId}`}>
          <bdi>{nameOf(member)}</bdi>
        </a>
        <span class="badges">
          {!member.active && <Badge tone="bad">{text('pages.members.inactive')}</Badge>}
          <Badge tone="quiet">{label('Role', member.role)}</Badge>
        </span>
      </span>
      <small>
        <bdi id={username}>{member.username}</bdi> · <bdi>{member.email}</bdi> · {text('pages.members.joined')}{' '}
        <Instant at={member.joinedAt} />
      </small>
    </li>
  );
}

const MemberPageDocument = graphql(`
  query MemberPage($organizationId: ID!, $userId: ID!) {
    organization(id: $organizationId) {
      ...OrganizationHeader
    }
    member(organizationId: $organizationId, userId: $userId) {
      ...MemberLines
    }
  }
`);

export function MemberPage({ parts: { id = '', user = '' } }: { parts: Parts }) {
  const answer = useAnswer(MemberPageDocument, { organizationId: id, userId: user });
  const found = answer.data?.member;
  return (
    <Frame
      title={found == null ? text('pages.members.member') : nameOf(found)}
      organization={{ id, header: answer.data?.organization, tab: 'members' }}
      above={{ href: link`organizations/${id}/users`, title: text('pages.tab.members') }}
    >
      <Loaded answer={answer} find={({ member }) => member}>
        {(member) => (
          <Card title={label('Role', member.role)}>
            <dl class="facts">
              <dt>{text('pages.members.username')}</dt>
              <dd>{member.username}</dd>
              <dt>{text('pages.members.email')}</dt>
              <dd>{member.email}</dd>
              <dt>{text('pages.members.joined')}</dt>
              <dd>
                <Instant at={member.joinedAt} />
              </dd>
            </dl>
            {!member.active && <p class="bad">{text('pages.members.inactive')}</p>}
          </Card>
        )}
      </Loaded>
    </Frame>
  );
}
