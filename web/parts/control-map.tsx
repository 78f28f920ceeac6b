import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ControlMapQuery, ControlStatus, EvidenceState, OrganizationControlFilter } from '../gql/graphql.js';
import { link } from '../router.js';
import { settings } from '../settings.js';
import { label, text } from '../texts.js';
import { Empty } from './basics.js';
import { Loaded } from './feedback.js';
import { ShowMore, type OnShown } from './show-more.js';

/** Reads the maximum number of controls of one page. */
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

/** A mark that distinguishes the states without colours. */
export function StateMark({ status }: { status: ControlStatus }) {
  if (MARKS[status] === '') return null;
  return (
    <svg class="state-mark" viewBox="0 0 12 12" aria-hidden="true">
      <path d={MARKS[status]} />
    </svg>
  );
}

/** The mark of evidence: a circle if it is fresh, a square if it expires soon or is stale. */
export function EvidenceMark({ state }: { state: EvidenceState }) {
  return <span class={`dot ${state === 'FRESH' ? 'good' : 'warn'}`} aria-hidden="true" />;
}

export const statusKind = (status: ControlStatus) => status.toLowerCase().replace('_', '-');

interface MapProps {
  organizationId: string;
  workflowId: string;
  /** Id of the organization's workflow. */
  id: string;
  filter: OrganizationControlFilter | null;
  /** The instant of the shown state; null for now. */
  asOf: string | null;
}

/** Every control as a cell with its state, in the order of the workflow, linked to its evidence. */
export function ControlMap(props: MapProps) {
  return (
    <div class="map">
      <MapPage key={JSON.stringify(props)} {...props} after={null} page={1} />
    </div>
  );
}

/** Pages that are loaded automatically: enough for all shipped workflows. */
const AUTOMATIC_PAGES = 4;

interface PageProps extends MapProps {
  after: string | null;
  page: number;
  onShown?: OnShown;
}

function MapPage({ after, page, onShown, ...props }: PageProps) {
  const { id, filter, asOf } = props;
  const { language } = settings;
  const answer = useAnswer(ControlMapDocument, { id, asOf, filter, after, language });
  const first = useRef<HTMLAnchorElement>(null);
  const count = shownIn(answer.data)?.controls.nodes.length;
  useEffect(() => {
    if (count !== undefined) onShown?.(first.current, count);
  }, [count !== undefined]);
  const next = (after: string | null, onNextShown?: OnShown) => (
    <MapPage {...props} after={after} page={page + 1} {...(onNextShown && { onShown: onNextShown })} />
  );
  return (
    <Loaded answer={answer} find={shownIn}>
      {({ controls: { nodes, pageInfo } }) => (
        <>
          {nodes.length === 0 && page === 1 && <Empty>{text('pages.workflow.noControls')}</Empty>}
          {nodes.map((control, index) => (
            <Cell
              key={control.controlId}
              {...props}
              {...(index === 0 && { link: first })}
              control={control}
              isHeading={filter === null && isHeading(control, nodes)}
            />
          ))}
          {pageInfo.hasNextPage && page < AUTOMATIC_PAGES && next(pageInfo.endCursor ?? null)}
          {pageInfo.hasNextPage && page >= AUTOMATIC_PAGES && (
            <ShowMore name={text('pages.workflow.more')}>
              {(onNextShown) => next(pageInfo.endCursor ?? null, onNextShown)}
            </ShowMore>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The controls of a response; empty for a workflow that does not exist. */
const shownIn = (data: ControlMapQuery | undefined) =>
  data?.node != null && 'controls' in data.node ? (data.node as Shown) : undefined;

/** A heading with the controls below it. */
function isHeading({ controlId, parentId }: Control, controls: readonly Control[]): boolean {
  return parentId === null && controls.some((each) => each.parentId === controlId);
}

interface CellProps extends MapProps {
  control: Control;
  isHeading: boolean;
  link?: RefObject<HTMLAnchorElement | null>;
}

function Cell({ organizationId, workflowId, control, isHeading, link: anchor }: CellProps) {
  const { controlId, status, overdue, evidenceState } = control;
  const href = link`organizations/${organizationId}/workflows/${workflowId}/controls/${controlId}`;
  if (isHeading)
    return (
      <h3>
        <a ref={anchor} href={href}>
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
      ref={anchor}
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
