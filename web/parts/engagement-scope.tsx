import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type {
  EngagementControlsQuery,
  EngagementDocumentsQuery,
  EngagementIncidentsQuery,
  TypedDocumentString,
} from '../gql/graphql.js';
import { settings } from '../settings.js';
import { label, text } from '../texts.js';
import { About } from './about.js';
import { Card, Empty, Instant, Person } from './basics.js';
import { StateMark, statusKind } from './control-map.js';
import { Download } from './download.js';
import { Loaded } from './feedback.js';
import { IncidentBadges } from './incident-badges.js';
import { ShowMore, type OnShown } from './show-more.js';

const EngagementControlsDocument = graphql(`
  query EngagementControls($organizationId: ID!, $id: ID!, $first: Int, $after: String, $language: String) {
    engagement(organizationId: $organizationId, id: $id) {
      part: controls(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          workflowId
          controlId
          label(language: $language)
          status
          justification
          owner {
            username
          }
        }
      }
    }
  }
`);

const EngagementDocumentsDocument = graphql(`
  query EngagementDocuments($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
    engagement(organizationId: $organizationId, id: $id) {
      part: documents(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          documentVersionId
          workflowId
          controlId
          filename
          sha256
          createdAt
          effectiveAt
          createdBy {
            username
          }
        }
      }
    }
  }
`);

/** A page of documents, of which one is needed: a document of an engagement has no field of its own. */
const EngagementDocumentUrls = graphql(`
  query EngagementDocumentUrls($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
    engagement(organizationId: $organizationId, id: $id) {
      documents(first: $first, after: $after) {
        nodes {
          documentVersionId
          downloadUrl
        }
      }
    }
  }
`);

const EngagementIncidentsDocument = graphql(`
  query EngagementIncidents($organizationId: ID!, $id: ID!, $first: Int, $after: String) {
    engagement(organizationId: $organizationId, id: $id) {
      part: incidents(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          incidentId
          title
          severity
          status
          significant
          awareAt
          closedAt
        }
      }
    }
  }
`);

export interface EngagementIds {
  organizationId: string;
  id: string;
}

type NodeOf<Query extends Found<unknown>> = NonNullable<NonNullable<Query['engagement']>['part']>['nodes'][number];
type Control = NodeOf<EngagementControlsQuery>;
type Document = NodeOf<EngagementDocumentsQuery>;
type Incident = NodeOf<EngagementIncidentsQuery>;

/** The scope: controls, documents and incidents, each with its own pagination. */
export function EngagementScope({ ids }: { ids: EngagementIds }) {
  return (
    <>
      <Part
        title={text('pages.workflow.map')}
        ids={{ ...ids, language: settings.language }}
        {...{ document: EngagementControlsDocument, line: controlLine }}
      />
      <Part
        title={text('pages.engagement.documents')}
        {...{ ids, document: EngagementDocumentsDocument, line: documentLine }}
      />
      <Part
        title={text('pages.tab.incidents')}
        {...{ ids, document: EngagementIncidentsDocument, line: incidentLine }}
      />
    </>
  );
}

const FIRST = 25;

interface Found<Node> {
  engagement?: {
    part?: {
      totalCount: number;
      pageInfo: { hasNextPage: boolean; endCursor?: string | null };
      nodes: Node[];
    } | null;
  } | null;
}

/** With the language of labels, where it has some. */
type PartIds = EngagementIds & { language?: string };

/** Of one of its pages. */
type PageIds = PartIds & { first?: number | null; after?: string | null };

/** Of one part of an engagement. */
interface PartProps<Node> {
  ids: PartIds;
  document: TypedDocumentString<Found<Node>, PageIds>;
  /** `reload` reads the page of the node again, which `page` names. */
  line: (node: Node, reload: () => void, page: PageIds) => ComponentChildren;
}

function Part<Node>({ title, ...part }: PartProps<Node> & { title: string }) {
  const [count, setCount] = useState<number>();
  return (
    <Card title={title} count={count}>
      <PartPage {...part} after={null} onCount={setCount} />
    </Card>
  );
}

interface PageProps<Node> extends PartProps<Node> {
  after: string | null;
  onCount?: (count: number) => void;
  onShown?: OnShown;
}

function PartPage<Node>({ after, onCount, onShown, ...part }: PageProps<Node>) {
  const { ids, document, line } = part;
  const list = useRef<HTMLUListElement>(null);
  const page = { ...ids, first: FIRST, after };
  const answer = useAnswer(document, page);
  const found = answer.data?.engagement?.part;
  const count = found?.totalCount;
  useEffect(() => {
    if (count !== undefined) onCount?.(count);
  }, [count]);
  useEffect(() => {
    if (found != null) onShown?.(list.current?.firstElementChild, found.nodes.length);
  }, [found != null]);
  return (
    <Loaded answer={answer} find={({ engagement }) => engagement?.part}>
      {({ nodes, pageInfo }) => (
        <>
          {nodes.length === 0 && after === null && <Empty>{text('pages.engagement.nothing')}</Empty>}
          <ul ref={list} class="lines">
            {nodes.map((node) => line(node, answer.reload, page))}
          </ul>
          <Further {...part} {...{ pageInfo }} />
        </>
      )}
    </Loaded>
  );
}

interface FurtherProps<Node> extends PartProps<Node> {
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/** The following pages, loaded on demand. */
export function Further<Node>({ pageInfo, ...part }: FurtherProps<Node>) {
  if (!pageInfo.hasNextPage) return null;
  return (
    <ShowMore name={text('pages.engagement.more')}>
      {(onShown) => <PartPage {...part} after={pageInfo.endCursor ?? null} onShown={onShown} />}
    </ShowMore>
  );
}

/** Names of the workflows of an engagement, by their ids. */
export const WorkflowNames = createContext<ReadonlyMap<string, string | null>>(new Map());

/** A workflow that the organization has no more is shown by its id. */
export const WorkflowName = ({ id }: { id: string }) => <>{useContext(WorkflowNames).get(id) ?? id}</>;

const controlLine = ({ workflowId, controlId, label: name, status, justification, owner }: Control) => (
  <li key={`${workflowId}/${controlId}`}>
    <span class="line-head">
      <span>
        <strong>{controlId}</strong> {name}
      </span>
      <span class={`badge cell-badge ${statusKind(status)}`}>
        <StateMark status={status} /> {label('ControlStatus', status)}
      </span>
    </span>
    <small>
      <WorkflowName id={workflowId} />
      <Person user={owner} />
      {Boolean(justification) && <> · {justification}</>}
    </small>
  </li>
);

const documentLine = (document: Document, _reload: () => void, page: PageIds) => (
  <li key={document.documentVersionId}>
    <span class="line-head">
      <About.Provider value={`document-${document.documentVersionId}`}>
        <Download
          {...{ query: EngagementDocumentUrls, variables: page }}
          find={({ engagement }) =>
            engagement?.documents?.nodes.find(
              ({ documentVersionId }) => documentVersionId === document.documentVersionId,
            )?.downloadUrl
          }
          class="file"
        >
          {document.filename}
        </Download>
      </About.Provider>
      <small>
        <Instant at={document.effectiveAt ?? document.createdAt} />
      </small>
    </span>
    <small>
      <span id={`document-${document.documentVersionId}`}>
        <strong>{document.controlId}</strong> <WorkflowName id={document.workflowId} /> ·{' '}
        {text('pages.control.version', { id: String(document.documentVersionId) })}
      </span>{' '}
      · <bdi>{document.createdBy.username}</bdi>
    </small>
    <small class="hash">{document.sha256}</small>
  </li>
);

const incidentLine = (incident: Incident) => (
  <li key={incident.incidentId}>
    <span class="line-head">
      <span>
        <strong>#{incident.incidentId}</strong> {incident.title}
      </span>
      <IncidentBadges incident={incident} />
    </span>
    <small>
      {text('pages.incident.awareAt')} <Instant at={incident.awareAt} />
      {incident.closedAt != null && (
        <>
          {' · '}
          {text('pages.incident.closedAt')} <Instant at={incident.closedAt} />
        </>
      )}
    </small>
  </li>
);
