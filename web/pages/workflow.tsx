import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../api.js';
import { addDays, dayOf, daysBetween, endOf } from '../days.js';
import { graphql } from '../gql/index.js';
import type { ControlStatus, WorkflowPageQuery } from '../gql/graphql.js';
import { Card, countsOf, Empty, ProgressBar, useZone } from '../parts/basics.js';
import { shareDone } from '../progress.js';
import { ControlMap, EvidenceMark, StateMark, statusKind } from '../parts/control-map.js';
import { Download } from '../parts/download.js';
import { Loaded } from '../parts/feedback.js';
import { Filter, setQuery, useQuery } from '../parts/filter.js';
import { optionsOf } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { OutsideLink } from '../parts/outside-link.js';
import { ProgressChart } from '../parts/progress-chart.js';
import { link, type Parts } from '../router.js';
import { dayIn, label, percent, text } from '../texts.js';

const WorkflowPageDocument = graphql(`
  query WorkflowPage($organizationId: ID!, $workflowId: ID!) {
    organization(id: $organizationId) {
      createdAt
      ...OrganizationHeader
    }
    organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
      id
      name
      staleEvidence
      progress {
        total
        done
        inProgress
        toDo
        notApplicable
      }
      workflow {
        source
        sourceUrl
        edition
      }
    }
  }
`);

/** A separate query: its first day is in the organization's zone. */
const WorkflowHistoryDocument = graphql(`
  query WorkflowHistory($organizationId: ID!, $workflowId: ID!, $from: Date) {
    organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
      progressHistory(from: $from) {
        days {
          day
          done
          inProgress
          toDo
          notApplicable
        }
      }
    }
  }
`);

const STATUSES: readonly ControlStatus[] = ['DONE', 'IN_PROGRESS', 'TO_DO', 'NOT_APPLICABLE'];
const DAYS = 180;

export function WorkflowPage({ parts: { id = '', workflow = '' } }: { parts: Parts }) {
  const query = useQuery();
  const status = STATUSES.find((each) => each === query.get('status'));
  const overdue = query.get('status') === OVERDUE;
  const answer = useAnswer(WorkflowPageDocument, { organizationId: id, workflowId: workflow });
  const found = answer.data?.organizationWorkflow;
  const header = answer.data?.organization;
  return (
    <Frame
      title={found?.name ?? text('pages.workflow.title')}
      organization={{ id, header, tab: 'overview' }}
      above={{ href: link`organizations/${id}`, title: header?.name ?? text('pages.organization.title') }}
      aside={
        found != null && (
          <Download
            {...{ query: EvidencePackUrl, variables: { organizationId: id, workflowId: workflow } }}
            find={(data) => data.organizationWorkflow?.evidencePackUrl}
          >
            {text('pages.workflow.evidencePack')}
          </Download>
        )
      }
    >
      <Loaded answer={answer} find={(data) => data.organizationWorkflow}>
        {(shown) => (
          <>
            <Summary workflow={shown}>
              <History organizationId={id} workflowId={workflow} />
            </Summary>
            <Filter
              choices={[
                {
                  ...{ name: 'status', label: text('pages.workflow.show'), none: text('pages.workflow.all') },
                  options: [
                    ...optionsOf('ControlStatus', STATUSES),
                    { value: OVERDUE, label: text('pages.control.overdue') },
                  ],
                },
              ]}
              days={[{ name: AS_OF, label: text('pages.workflow.asOf'), isElsewhere: true }]}
            >
              <Card
                title={text('pages.workflow.map')}
                count={status === undefined && !overdue && query.get(AS_OF) === null ? shown.progress.total : undefined}
                action={<Legend />}
              >
                {header != null && <DaySlider since={header.createdAt} />}
                <MapOfDay
                  {...{ organizationId: id, workflowId: workflow, id: shown.id, date: query.get(AS_OF) }}
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

const EvidencePackUrl = graphql(`
  query EvidencePackUrl($organizationId: ID!, $workflowId: ID!) {
    organizationWorkflow(organizationId: $organizationId, workflowId: $workflowId) {
      evidencePackUrl
    }
  }
`);

/** Parameter of the address, beside the statuses. */
const OVERDUE = 'OVERDUE';

type Workflow = NonNullable<WorkflowPageQuery['organizationWorkflow']>;

function Summary({
  workflow: { progress, staleEvidence },
  children,
}: {
  workflow: Workflow;
  children: ComponentChildren;
}) {
  return (
    <div class="columns even">
      <Card title={text('pages.organization.progress')}>
        <div class="progress">
          <strong class="figure-value">{percent(shareDone(progress))}</strong>
          <ProgressBar progress={progress} />
          <small>
            {countsOf(progress)}
            {progress.notApplicable > 0 && (
              <> · {text('pages.progress.notApplicable', { count: progress.notApplicable })}</>
            )}
            {staleEvidence > 0 && <span class="warn"> · {text('pages.progress.stale', { count: staleEvidence })}</span>}
          </small>
        </div>
      </Card>
      <Card title={text('pages.workflow.history')}>{children}</Card>
    </div>
  );
}

function History({ organizationId, workflowId }: { organizationId: string; workflowId: string }) {
  const zone = useZone();
  const [from] = useState(() => dayBefore(DAYS, zone));
  const answer = useAnswer(WorkflowHistoryDocument, { organizationId, workflowId, from });
  return (
    <Loaded answer={answer} find={(data) => data.organizationWorkflow?.progressHistory}>
      {({ days }) =>
        days.length < 2 ? <Empty>{text('pages.workflow.noHistory')}</Empty> : <ProgressChart days={days} />
      }
    </Loaded>
  );
}

/** Parameter of the address with the day whose state the map shows; absent for today. */
const AS_OF = 'as_of';

/** The map at the last instant of a day, or now. */
function MapOfDay({ date, ...props }: Omit<ComponentProps<typeof ControlMap>, 'asOf'> & { date: string | null }) {
  const zone = useZone();
  const isNow = date === null || date === dayBefore(0, zone);
  const asOf = isNow ? null : endOf(date, zone);
  return <ControlMap {...props} asOf={asOf} />;
}

const dayBefore = (days: number, zone: string) => addDays(dayOf(Date.now(), zone), -days);

/** Moves the map through the last half year by days; not before the day on which the organization was created. */
function DaySlider({ since }: { since: string }) {
  const chosen = useQuery().get(AS_OF);
  const zone = useZone();
  const today = dayBefore(0, zone);
  const last = Math.min(DAYS, daysBetween(dayOf(Date.parse(since), zone), today));
  const days = chosen === null ? 0 : daysBetween(chosen, today);
  // The day of the slider while it is dragged; the map still shows another one.
  const [moved, setMoved] = useState<number>();
  const at = moved ?? last - days;
  const date = at === last ? null : addDays(today, at - last);
  if (last < 1) return null;
  const shown = date === null ? text('pages.workflow.today') : text('pages.workflow.endOf', { day: dayIn(date, zone) });
  return (
    <div class="day-slider">
      <label for="as-of">{text('pages.workflow.asOf')}</label>
      <input
        id="as-of"
        type="range"
        min="0"
        max={last}
        value={at}
        aria-valuetext={shown}
        onInput={({ currentTarget }) => setMoved(Number(currentTarget.value))}
        onChange={() => {
          setMoved(undefined);
          setQuery(AS_OF, date);
        }}
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
      <li>
        <span class="cell overdue" aria-hidden="true">
          <strong>!</strong>
        </span>
        {text('pages.control.overdue')}
      </li>
      <li>
        <span class="cell" aria-hidden="true">
          <EvidenceMark state="FRESH" />
        </span>
        {text('pages.workflow.freshEvidence')}
      </li>
      <li>
        <span class="cell" aria-hidden="true">
          <EvidenceMark state="STALE" />
        </span>
        {text('pages.workflow.otherEvidence')}
      </li>
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
