import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { PortfolioPageQuery, PortfolioSortField } from '../gql/graphql.js';
import { useName } from '../parts/about.js';
import {
  Badge,
  Card,
  Countdown,
  countsOf,
  Empty,
  Instant,
  ProgressBar,
  toneOf,
  useNow,
  Zone,
} from '../parts/basics.js';
import { stageName } from '../parts/deadlines.js';
import { Loaded } from '../parts/feedback.js';
import { Filter, useQuery } from '../parts/filter.js';
import { Frame } from '../parts/frame.js';
import { Pager, pageOf } from '../parts/pager.js';
import { applicable, shareDone } from '../progress.js';
import { link } from '../router.js';
import { settings } from '../settings.js';
import { label, percent, text } from '../texts.js';

const PortfolioPageDocument = graphql(`
  query PortfolioPage(
    $first: Int
    $last: Int
    $after: String
    $before: String
    $orderBy: PortfolioOrder
    $language: String
  ) {
    portfolio(first: $first, last: $last, after: $after, before: $before, orderBy: $orderBy, language: $language) {
      totalCount
      pageInfo {
        ...PageLinks
      }
      nodes {
        organization {
          databaseId
          name
          branding {
            customColors {
              primary
            }
          }
          settings {
            timeZone
          }
        }
        role
        progress {
          done
          inProgress
          toDo
          notApplicable
        }
        overdueControls
        devicesDown
        incidents {
          open
          contained
          resolved
        }
        nextDeadline {
          stage
          number
          regimeName
          dueAt
          extendedTo
          incident {
            databaseId
          }
        }
      }
    }
  }
`);

const SORTS = [
  'NEXT_DEADLINE',
  'OVERDUE_CONTROLS',
  'NAME',
  'CREATED_AT',
] as const satisfies readonly PortfolioSortField[];

export function PortfolioPage() {
  const query = useQuery();
  const field = SORTS.find((each) => each === query.get('sort')) ?? 'NEXT_DEADLINE';
  const direction = field === 'OVERDUE_CONTROLS' ? 'DESC' : 'ASC';
  const answer = useAnswer(PortfolioPageDocument, {
    ...pageOf(query),
    orderBy: { field, direction },
    language: settings.language,
  });
  return (
    <Frame title={text('pages.portfolio.title')}>
      <Filter
        choices={[
          {
            ...{ name: 'sort', label: text('pages.portfolio.sort'), none: text('pages.portfolio.NEXT_DEADLINE') },
            options: SORTS.slice(1).map((value) => ({ value, label: text(`pages.portfolio.${value}`) })),
          },
        ]}
      >
        <Loaded answer={answer} find={({ portfolio }) => portfolio}>
          {({ totalCount, nodes, pageInfo }) => (
            <Card title={text('pages.portfolio.organizations')} count={totalCount}>
              {nodes.length === 0 && <Empty>{text('pages.portfolio.none')}</Empty>}
              <ul class="portfolio">
                {nodes.map((each) => (
                  <Zone.Provider key={each.organization.databaseId} value={each.organization.settings.timeZone}>
                    <Row overview={each} />
                  </Zone.Provider>
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

type Overview = NonNullable<PortfolioPageQuery['portfolio']>['nodes'][number];

function Row({ overview }: { overview: Overview }) {
  const now = useNow();
  const { organization, role, progress, overdueControls, devicesDown, incidents, nextDeadline } = overview;
  const id = organization.databaseId;
  const name = `organization-${id}`;
  const deadline = useName(name);
  const due = nextDeadline?.extendedTo ?? nextDeadline?.dueAt;
  const open = incidents.open + incidents.contained + incidents.resolved;
  return (
    <li style={{ '--brand': organization.branding.customColors.primary }}>
      <div>
        <a id={name} class="portfolio-name" href={link`organizations/${id}`}>
          <bdi>{organization.name}</bdi>
        </a>
        <small>{label('Role', role)}</small>
      </div>
      <div>
        {nextDeadline == null || due == null ? (
          <small>{text('pages.deadline.noneOwed')}</small>
        ) : (
          <>
            <a {...deadline} href={link`organizations/${id}/incidents/${nextDeadline.incident.databaseId}`}>
              <Badge tone={toneOf(due, now)}>
                <Countdown to={due} />
              </Badge>
            </a>
            <small>
              {stageName(nextDeadline)} · {nextDeadline.regimeName} · <Instant at={due} />
            </small>
          </>
        )}
      </div>
      <div class="progress">
        {applicable(progress) === 0 ? (
          <small>{text('pages.portfolio.noControls')}</small>
        ) : (
          <>
            <span class="line-head">
              <small>{countsOf(progress)}</small>
              <strong>{percent(shareDone(progress))}</strong>
            </span>
            <ProgressBar progress={progress} />
          </>
        )}
      </div>
      <p class="badges">
        {open > 0 && <Badge tone="warn">{text('pages.portfolio.openIncidents', { count: open })}</Badge>}
        {overdueControls > 0 && (
          <Badge tone="bad">{text('pages.portfolio.overdueControls', { count: overdueControls })}</Badge>
        )}
        {devicesDown != null && devicesDown > 0 && (
          <Badge tone="bad">{text('pages.portfolio.devicesDown', { count: devicesDown })}</Badge>
        )}
        {open === 0 && overdueControls === 0 && !devicesDown && (
          <Badge tone="good">{text('pages.portfolio.allWell')}</Badge>
        )}
      </p>
    </li>
  );
}
