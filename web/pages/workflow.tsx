import { useState } from 'preact/hooks';
import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ControlStatus, WorkflowPageQuery } from '../gql/graphql.js';
import { Card, Empty, ProgressBar, shareDone, applicable } from '../parts/basics.js';
import { ControlMap, StateMark, statusKind } from '../parts/control-map.js';
import { Loaded } from '../parts/feedback.js';
import { Filter, useQuery } from '../parts/filter.js';
import { Frame } from '../parts/frame.js';
import { OutsideLink } from '../parts/outside-link.js';
import { ProgressChart } from '../parts/progress-chart.js';
import { link, type Parts } from '../router.js';
import { label, percent, text } from '../texts.js';

const WorkflowPageDocument = graphql(`
  query WorkflowPage($organizationId: ID!, $workflowId: ID!, $from: Date) {
    organization(id: $organizationId) {
      ...OrganizationHeader
    }
    organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
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
            {/* What the map is of: the state of another day is chosen here, beside the filter. */}
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
            />
            <Card title={text('pages.workflow.map')} count={shown.progress.total} action={<Legend />}>
              <ControlMap
                {...{ organizationId: id, workflowId: workflow }}
                filter={overdue ? { overdue } : status === undefined ? null : { status }}
              />
            </Card>
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
