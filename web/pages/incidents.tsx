import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { IncidentsPageQuery, IncidentStatus } from '../gql/graphql.js';
import { Card, Countdown, Empty, excerpt, Instant, toneOf, useNow } from '../parts/basics.js';
import { nextOwed, stageName } from '../parts/deadlines.js';
import { Loaded } from '../parts/feedback.js';
import { Filter, useQuery } from '../parts/filter.js';
import { optionsOf } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { StartRehearsal } from '../parts/rehearsal.js';
import { IncidentBadges } from '../parts/incident-badges.js';
import { Pager, pageOf } from '../parts/pager.js';
import { link, type Parts } from '../router.js';
import { settings } from '../settings.js';
import { text } from '../texts.js';

const IncidentsPageDocument = graphql(`
  query IncidentsPage(
    $id: ID!
    $first: Int
    $last: Int
    $after: String
    $before: String
    $filter: IncidentFilter
    $language: String
  ) {
    organization(id: $id) {
      ...OrganizationHeader
      viewerCan {
        openIncidents
      }
      incidents(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
        totalCount
        pageInfo {
          ...PageLinks
        }
        nodes {
          databaseId
          title
          severity
          status
          significant
          rehearsal
          awareAt
          clock(language: $language) {
            stages {
              stage
              number
              regimeName
              dueAt
              extendedTo
              state
            }
          }
        }
      }
    }
  }
`);

const STATUSES: readonly IncidentStatus[] = ['OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED'];

export function IncidentsPage({ parts: { id = '' } }: { parts: Parts }) {
  const query = useQuery();
  const status = STATUSES.find((each) => each === query.get('status'));
  const filter = status === undefined ? null : { status };
  const answer = useAnswer(IncidentsPageDocument, { id, filter, language: settings.language, ...pageOf(query) });
  return (
    <Frame
      title={text('pages.tab.incidents')}
      organization={{ id, header: answer.data?.organization, tab: 'incidents' }}
    >
      <Filter
        choices={[
          { name: 'status', label: text('pages.incident.status'), options: optionsOf('IncidentStatus', STATUSES) },
        ]}
      >
        <Loaded answer={answer} find={({ organization }) => organization}>
          {({ incidents }) => (
            <Card title={text('pages.tab.incidents')} count={incidents.totalCount}>
              {incidents.nodes.length === 0 && <Empty>{text('pages.incidents.none')}</Empty>}
              <ul class="lines">
                {incidents.nodes.map((each) => (
                  <IncidentLine key={each.databaseId} organizationId={id} incident={each} />
                ))}
              </ul>
              <Pager info={incidents.pageInfo} query={query} />
            </Card>
          )}
        </Loaded>
      </Filter>
      {answer.data?.organization?.sandbox && answer.data.organization.viewerCan.openIncidents && (
        <StartRehearsal organizationId={id} />
      )}
    </Frame>
  );
}

type Incident = NonNullable<IncidentsPageQuery['organization']>['incidents']['nodes'][number];

function IncidentLine({ organizationId, incident }: { organizationId: string; incident: Incident }) {
  const now = useNow();
  const { databaseId, title, awareAt } = incident;
  const next = nextOwed(incident.clock.stages);
  return (
    <li>
      <span class="line-head">
        <a href={link`organizations/${organizationId}/incidents/${databaseId}`}>
          <strong>#{databaseId}</strong> {excerpt(title)}
        </a>
        <IncidentBadges incident={incident} />
      </span>
      <small>
        {text('pages.incident.awareAt')} <Instant at={awareAt} />
        {next !== undefined && (
          <>
            {' · '}
            {stageName(next)} ({next.regimeName}):{' '}
            <span class={toneOf(next.dueAt, now)}>
              <Countdown to={next.dueAt} />
            </span>
          </>
        )}
      </small>
    </li>
  );
}
