import { useState } from 'preact/hooks';
import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ControlStatus, WorkflowPageQuery } from '../gql/graphql.js';
import { Card, Empty, ProgressBar, shareDone, applicable } from '../parts/basics.js';
import { ControlMap, StateMark, statusKind } from '../parts/control-map.js';
import { Loaded } from '../parts/feedback.js';
import { Filter, setQuery, useQuery } from '../parts/filter.js';
import { Frame } from '../parts/frame.js';
import { OutsideLink } from '../parts/outside-link.js';
import { ProgressChart } from '../parts/progress-chart.js';
import { link, type Parts } from '../router.js';
import { day, label, percent, text } from '../texts.js';

const WorkflowPageDocument = graphql(`
  query WorkflowPage($organizationId: ID!, $workflowId: ID!, $from: Date) {
    organization(id: $organizationId) {
      createdAt
      ...OrganizationHeader
    }
    organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
      id
      name
      staleEvidence
      evidencePackUrl
      progress {
        total
        done
        inProgress
        toDo
        notApplicable
      }
      progressHistory(from: $from) {
        days {
          day
          done
          inProgress
          toDo
          total
          notApplicable
        }
      }
      workflow {
        source
        sourceUrl
        edition
      }
    }
  }
`);

const STATUSES: readonly ControlStatus[] = ['DONE', 'IN_PROGRESS', 'TO_DO', 'NOT_APPLICABLE'];
const DAYS = 180;
const DAY = 86_400_000;

export function WorkflowPage({ parts: { id = '', workflow = '' } }: { parts: Parts }) {
  const query = useQuery();
  const status = STATUSES.find((each) => each === query.get('status'));
  const overdue = query.get('status') === OVERDUE;
  const [from] = useState(() => new Date(Date.now() - DAYS * DAY).toISOString().slice(0, 10));
  const answer = useAnswer(WorkflowPageDocument, { organizationId: id, workflowId: workflow, from });
  const found = answer.data?.organizationWorkflow;
  const header = answer.data?.organization;
  return (
    <Frame
      title={found?.name ?? workflow}
      organization={{ id, header, tab: 'overview' }}
      above={{ href: link`organizations/${id}`, title: header?.name ?? text('pages.organization.title') }}
      aside={found != null && <a href={found.evidencePackUrl}>{text('pages.workflow.evidencePack')}</a>}
    >
      <Loaded answer={answer} find={(data) => data.organizationWorkflow}>
        {(shown) => (
          <>
            <Summary workflow={shown} />
            <Filter
              choices={[
                {
                  ...{ name: 'status', label: text('pages.workflow.show'), none: text('pages.workflow.all') },
                  options: [
                    ...STATUSES.map((value) => ({ value, label: label('ControlStatus', value) })),
                    { value: OVERDUE, label: text('pages.control.overdue') },
                  ],
                },
              ]}
              days={[{ name: AS_OF, label: text('pages.workflow.asOf'), isElsewhere: true }]}
            >
              <Card title={text('pages.workflow.map')} count={shown.progress.total} action={<Legend />}>
                {header != null && <DaySlider since={header.createdAt} />}
                <ControlMap
                  {...{ organizationId: id, workflowId: workflow, id: shown.id, asOf: asOf(query.get(AS_OF)) }}
                  filter={overdue ? { overdue } : status === undefined ? null : { status }}
                />
              </Card>
            </Filter>
            <Source workflow={shown} />
          </>
        )}
      </Loaded>
    </Frame>
  );
}

/** In the query, beside the statuses. */
const OVERDUE = 'OVERDUE';

type Workflow = NonNullable<WorkflowPageQuery['organizationWorkflow']>;

function Summary({ workflow: { progress, staleEvidence, progressHistory } }: { workflow: Workflow }) {
  return (
    <div class="columns even">
      <Card title={text('pages.organization.progress')}>
        <div class="progress">
          <strong class="figure-value">{percent(shareDone(progress))}</strong>
          <ProgressBar progress={progress} />
          <small>
            {text('pages.progress.counts', {
              done: progress.done,
              total: applicable(progress),
              begun: progress.inProgress,
            })}
            {progress.notApplicable > 0 && (
              <> · {text('pages.progress.notApplicable', { count: progress.notApplicable })}</>
            )}
            {staleEvidence > 0 && <span class="warn"> · {text('pages.progress.stale', { count: staleEvidence })}</span>}
          </small>
        </div>
      </Card>
      <Card title={text('pages.workflow.history')}>
        {progressHistory.days.length < 2 ? (
          <Empty>{text('pages.workflow.noHistory')}</Empty>
        ) : (
          <ProgressChart days={progressHistory.days} />
        )}
      </Card>
    </div>
  );
}

/** The day whose state the map shows, in the query; none is today. */
const AS_OF = 'as_of';

/** The last instant of a day. */
const asOf = (date: string | null) => (date === null ? null : `${date}T23:59:59.999Z`);

const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** Moves the map through the last half year, a day at a time; not beyond the day on which the organization was created. */
function DaySlider({ since }: { since: string }) {
  const chosen = useQuery().get(AS_OF);
  const last = Math.min(DAYS, Math.floor((Date.now() - Date.parse(since.slice(0, 10))) / DAY));
  const days = chosen === null ? 0 : Math.round((Date.parse(dayBefore(0)) - Date.parse(chosen)) / DAY);
  const [moved, setMoved] = useState(last - days);
  const date = moved === last ? null : dayBefore(last - moved);
  if (last < 1) return null;
  const shown = date === null ? text('pages.workflow.today') : text('pages.workflow.endOf', { day: day(date) });
  return (
    <div class="day-slider">
      <label for="as-of">{text('pages.workflow.asOf')}</label>
      <input
        id="as-of"
        type="range"
        min="0"
        max={last}
        value={moved}
        aria-valuetext={shown}
        onInput={({ currentTarget }) => setMoved(Number(currentTarget.value))}
        onChange={() => setQuery(AS_OF, date)}
      />
      <output for="as-of">{shown}</output>
    </div>
  );
}

function Legend() {
  return (
    <ul class="legend">
      {STATUSES.map((status) => (
        <li key={status}>
          <span class={`cell ${statusKind(status)}`} aria-hidden="true">
            <StateMark status={status} />
          </span>
          {label('ControlStatus', status)}
        </li>
      ))}
    </ul>
  );
}

function Source({ workflow: { workflow } }: { workflow: Workflow }) {
  return (
    <p class="quiet below">
      {text('pages.workflow.source')}:{' '}
      {workflow.sourceUrl == null ? (
        workflow.source
      ) : (
        <OutsideLink href={workflow.sourceUrl}>{workflow.source}</OutsideLink>
      )}{' '}
      · {workflow.edition}
    </p>
  );
}
