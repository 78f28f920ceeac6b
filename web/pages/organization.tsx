import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { OrganizationPageQuery } from '../gql/graphql.js';
import { Card, Day, Empty, excerpt, More, Person } from '../parts/basics.js';
import { byDeadline, owedBy, DeadlineList, DeadlineFigure } from '../parts/deadlines.js';
import { Loaded } from '../parts/feedback.js';
import { Figure } from '../parts/figure.js';
import { Frame } from '../parts/frame.js';
import { WorkflowProgressRow } from '../parts/workflow-progress.js';
import { link, type Parts } from '../router.js';
import { settings } from '../settings.js';
import { number, text } from '../texts.js';
import { DeviceLines, devicesDown } from '../parts/device-lines.js';

/** One request, within the cost limit of an operation; long lists have pages of their own. */
const OrganizationPageDocument = graphql(`
  query OrganizationPage($id: ID!, $language: String) {
    organization(id: $id) {
      ...OrganizationHeader
      open: incidents(first: 1, filter: { status: OPEN }) {
        totalCount
      }
      contained: incidents(first: 1, filter: { status: CONTAINED }) {
        totalCount
      }
      resolved: incidents(first: 1, filter: { status: RESOLVED }) {
        totalCount
      }
      workflows(first: 100) {
        totalCount
        nodes {
          workflowId
          name
          staleEvidence
          progress {
            done
            inProgress
            toDo
            notApplicable
          }
          overdue: controls(first: 1, filter: { overdue: true }) {
            totalCount
          }
        }
      }
      defenders: cloudDefenders(first: 1) {
        totalCount
      }
      defendersDown: cloudDefenders(first: 5, filter: { status: DOWN }) {
        ...DefenderLines
      }
      defendersDegraded: cloudDefenders(first: 5, filter: { status: DEGRADED }) {
        ...DefenderLines
      }
      blockers: threatBlockers(first: 1) {
        totalCount
      }
      blockersDown: threatBlockers(first: 5, filter: { status: DOWN }) {
        ...BlockerLines
      }
      blockersDegraded: threatBlockers(first: 5, filter: { status: DEGRADED }) {
        ...BlockerLines
      }
    }
    work(organizationId: $id, kind: REPORT, assignee: ANYONE, first: 100, language: $language) {
      totalCount
      nodes {
        report {
          ...OwedReport
        }
      }
    }
    due: work(organizationId: $id, kind: CONTROL, assignee: ANYONE, first: 10, language: $language) {
      nodes {
        title
        overdue
        control {
          controlId
          workflowId
          dueDate
          owner {
            username
          }
        }
      }
    }
  }
`);

/** Number of deadlines that are shown; more are read, since one that is due later may have to be sent sooner. */
const SHOWN = 12;
/** Number of open incidents whose reports are included in the work. */
const LOOKED_AT = 50;

type Organization = NonNullable<OrganizationPageQuery['organization']>;
type Reports = NonNullable<OrganizationPageQuery['work']>;
type Due = NonNullable<OrganizationPageQuery['due']>;

export function OrganizationPage({ parts: { id = '' } }: { parts: Parts }) {
  const answer = useAnswer(OrganizationPageDocument, { id, language: settings.language });
  const header = answer.data?.organization;
  return (
    <Frame title={header?.name ?? text('pages.organization.title')} organization={{ id, header, tab: 'overview' }}>
      <Loaded
        answer={answer}
        find={({ organization, work, due }) => organization && work && due && { organization, work, due }}
      >
        {(shown) => <Overview id={id} {...shown} />}
      </Loaded>
    </Frame>
  );
}

interface OverviewProps {
  id: string;
  organization: Organization;
  work: Reports;
  due: Due;
}

function Overview({ id, organization, work, due }: OverviewProps) {
  const openIncidents =
    organization.open.totalCount + organization.contained.totalCount + organization.resolved.totalCount;
  const deadlines = work.nodes.flatMap(({ report }) => (report ? [owedBy(id, report)] : [])).toSorted(byDeadline);
  const workflows = organization.workflows.nodes;
  const overdue = workflows.reduce((sum, each) => sum + each.overdue.totalCount, 0);
  const stale = workflows.reduce((sum, { staleEvidence }) => sum + staleEvidence, 0);
  const down = devicesDown(organization);
  const seesDevices = organization.defenders != null || organization.blockers != null;
  return (
    <>
      <div class="figures">
        <DeadlineFigure deadline={deadlines[0]} />
        <Figure
          label={text('pages.organization.openIncidents')}
          value={number(openIncidents)}
          tone={openIncidents > 0 ? 'warn' : 'good'}
          href={link`organizations/${id}/incidents`}
        />
        <Figure
          label={text('pages.organization.overdueControls')}
          value={number(overdue)}
          tone={overdue > 0 ? 'bad' : 'good'}
        />
        <Figure
          label={text('pages.organization.staleEvidence')}
          value={number(stale)}
          tone={stale > 0 ? 'warn' : 'good'}
        />
        {seesDevices && (
          <Figure
            label={text('pages.organization.devicesDown')}
            value={number(down)}
            tone={down > 0 ? 'bad' : 'good'}
          />
        )}
      </div>
      <div class="columns">
        <div>
          <Card title={text('pages.organization.progress')} count={organization.workflows.totalCount}>
            {workflows.length === 0 && <Empty>{text('pages.organization.noWorkflow')}</Empty>}
            {workflows.map((each) => (
              <WorkflowProgressRow key={each.workflowId} organizationId={id} workflow={each} />
            ))}
            <More count={organization.workflows.totalCount - workflows.length} />
          </Card>
          <OverdueControls id={id} due={due} workflows={workflows} total={overdue} />
        </div>
        <div>
          <Card title={text('pages.organization.deadlines')} count={work.totalCount}>
            <DeadlineList deadlines={deadlines.slice(0, SHOWN)} total={work.totalCount} />
            {openIncidents > LOOKED_AT && (
              <p class="warn">{text('pages.organization.someDeadlines', { count: LOOKED_AT })}</p>
            )}
          </Card>
          {seesDevices && (
            <Card
              title={text('pages.organization.devices')}
              count={(organization.defenders?.totalCount ?? 0) + (organization.blockers?.totalCount ?? 0)}
            >
              <DeviceLines devices={organization} />
            </Card>
          )}
        </div>
      </div>
    </>
  );
}

interface OverdueProps {
  id: string;
  due: Due;
  workflows: Organization['workflows']['nodes'];
  total: number;
}

/** The longest overdue ones of all workflows. */
function OverdueControls({ id, due, workflows, total }: OverdueProps) {
  const names = new Map(workflows.map(({ workflowId, name }) => [workflowId, name]));
  const controls = due.nodes.flatMap(({ title, overdue, control }) =>
    overdue && control ? [{ ...control, label: title }] : [],
  );
  return (
    <Card title={text('pages.organization.overdueControls')} count={total}>
      {controls.length === 0 && <Empty>{text('pages.organization.noneOverdue')}</Empty>}
      <ul class="lines">
        {controls.map(({ controlId, workflowId, label, dueDate, owner }) => (
          <li key={`${workflowId} ${controlId}`}>
            <a href={link`organizations/${id}/workflows/${workflowId}/controls/${controlId}`}>
              <strong>{controlId}</strong> {excerpt(label)}
            </a>
            <small>
              {names.get(workflowId) ?? workflowId} · {text('pages.control.due')}{' '}
              {dueDate != null && <Day date={dueDate} />}
              <Person user={owner} />
            </small>
          </li>
        ))}
      </ul>
      <More count={total - controls.length} />
    </Card>
  );
}
