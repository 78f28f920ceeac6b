import { useState } from 'preact/hooks';
import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ControlMapQuery, ControlStatus, EvidenceState, OrganizationControlFilter } from '../gql/graphql.js';
import { link } from '../router.js';
import { settings } from '../settings.js';
import { label, text } from '../texts.js';
import { Empty } from './basics.js';
import { Loaded } from './feedback.js';

/** As many as a page of a list may have. */
const ControlMapDocument = graphql(`
  query ControlMap($id: ID!, $asOf: DateTime, $after: String, $filter: OrganizationControlFilter, $language: String) {
    node(id: $id, asOf: $asOf) {
      ... on OrganizationWorkflow {
        controls(first: 100, after: $after, filter: $filter, language: $language) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            controlId
            parentId
            label
            status
            overdue
            evidenceState
          }
        }
      }
    }
  }
`);

type Shown = Extract<NonNullable<ControlMapQuery['node']>, { controls: unknown }>;
type Control = Shown['controls']['nodes'][number];

/** A tick, half a circle, nothing, and a dash. */
const MARKS: Record<ControlStatus, string> = {
  ...{ DONE: 'M1 6l3.5 4L11 2', IN_PROGRESS: 'M6 1a5 5 0 1 0 0 10zM6 1a5 5 0 0 1 0 10' },
  ...{ TO_DO: '', NOT_APPLICABLE: 'M1 6h10' },
};

/** The mark that tells the states apart without colours. */
export function StateMark({ status }: { status: ControlStatus }) {
  if (MARKS[status] === '') return null;
  return (
    <svg class="state-mark" viewBox="0 0 12 12" aria-hidden="true">
      <path d={MARKS[status]} />
    </svg>
  );
}

/** The mark of evidence: a circle where it is fresh, a square where it expires soon or is stale. */
export function EvidenceMark({ state }: { state: EvidenceState }) {
  return <span class={`dot ${state === 'FRESH' ? 'good' : 'warn'}`} aria-hidden="true" />;
}

export const statusKind = (status: ControlStatus) => status.toLowerCase().replace('_', '-');

interface MapProps {
  organizationId: string;
  workflowId: string;
  /** Of the workflow of the organization. */
  id: string;
  filter: OrganizationControlFilter | null;
  /** The instant whose state is shown; null is now. */
  asOf: string | null;
}

/** Every control as a cell with its state, in the order of the workflow; each leads to its evidence. */
export function ControlMap(props: MapProps) {
  return (
    <div class="map">
      <MapPage key={JSON.stringify(props)} {...props} after={null} page={1} />
    </div>
  );
}

/** Pages that are shown without being asked for: enough for all workflows that are shipped. */
const UNASKED = 4;

function MapPage({ after, page, ...props }: MapProps & { after: string | null; page: number }) {
  const { id, filter, asOf } = props;
  const { language } = settings;
  const answer = useAnswer(ControlMapDocument, { id, asOf, filter, after, language });
  const [goOn, setGoOn] = useState(page < UNASKED);
  return (
    <Loaded answer={answer} find={({ node }) => (node !== null && 'controls' in node! ? (node as Shown) : undefined)}>
      {({ controls: { nodes, pageInfo } }) => (
        <>
          {nodes.length === 0 && page === 1 && <Empty>{text('pages.workflow.noControls')}</Empty>}
          {nodes.map((control) => (
            <Cell
              key={control.controlId}
              {...props}
              control={control}
              isHeading={filter === null && isHeading(control, nodes)}
            />
          ))}
          {pageInfo.hasNextPage && goOn && <MapPage {...props} after={pageInfo.endCursor ?? null} page={page + 1} />}
          {pageInfo.hasNextPage && !goOn && (
            <button onClick={() => setGoOn(true)}>{text('pages.workflow.more')}</button>
          )}
        </>
      )}
    </Loaded>
  );
}

/** One at the top, with others below it. */
function isHeading({ controlId, parentId }: Control, controls: readonly Control[]): boolean {
  return parentId === null && controls.some((each) => each.parentId === controlId);
}

function Cell({ organizationId, workflowId, control, isHeading }: MapProps & { control: Control; isHeading: boolean }) {
  const { controlId, status, overdue, evidenceState } = control;
  const href = link`organizations/${organizationId}/workflows/${workflowId}/controls/${controlId}`;
  if (isHeading)
    return (
      <h3>
        <a href={href}>
          {controlId} <span class="quiet">{control.label}</span>
        </a>
      </h3>
    );
  const states = [
    label('ControlStatus', status),
    ...(overdue ? [text('pages.control.overdue')] : []),
    ...(evidenceState == null
      ? []
      : [text('pages.control.evidenceIs', { state: label('EvidenceState', evidenceState) })]),
  ].join(', ');
  return (
    <a
      class={`cell ${statusKind(status)}${overdue ? ' overdue' : ''}`}
      href={href}
      title={`${control.label} (${states})`}
    >
      <StateMark status={status} />
      {overdue && <strong aria-hidden="true">! </strong>}
      {controlId}
      {evidenceState != null && <EvidenceMark state={evidenceState} />}
      <span class="unseen">
        {control.label}: {states}
      </span>
    </a>
  );
}
