import { fetchOnce, saveFile, type Problem } from '../api.js';
import { graphql } from '../gql/index.js';
import type { EngagementFileQueryVariables } from '../gql/graphql.js';
import { text } from '../texts.js';
import { Button } from './button.js';
import type { EngagementIds } from './engagement-scope.js';
import { Trouble } from './feedback.js';
import { Sent, useSending } from './form.js';

graphql(`
  fragment RequestLine on EvidenceRequest {
    evidenceRequestId
    workflowId
    controlId
    text
    answer
    createdAt
    answeredAt
    closedAt
    createdBy {
      username
    }
  }
`);

graphql(`
  fragment SignOffLine on SignOff {
    signOffId
    workflowId
    controlId
    statement
    createdAt
    createdBy {
      username
    }
  }
`);

/** A page of one part of the file, or its facts. */
const EngagementFileDocument = graphql(`
  query EngagementFile(
    $organizationId: ID!
    $id: ID!
    $after: String
    $facts: Boolean! = false
    $controls: Boolean! = false
    $documents: Boolean! = false
    $incidents: Boolean! = false
    $auditTrail: Boolean! = false
    $requests: Boolean! = false
    $signOffs: Boolean! = false
  ) {
    engagement(organizationId: $organizationId, id: $id) {
      ... @include(if: $facts) {
        databaseId
        organizationId
        organizationName
        name
        from
        to
        until
        asOf
        workflows {
          workflowId
          name
        }
        auditors {
          userId
          username
        }
      }
      controls(first: 100, after: $after) @include(if: $controls) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          workflowId
          controlId
          label
          status
          justification
          updatedAt
          owner {
            username
          }
        }
      }
      documents(first: 100, after: $after) @include(if: $documents) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          documentVersionId
          workflowId
          controlId
          filename
          size
          contentType
          sha256
          createdAt
          effectiveAt
          createdBy {
            username
          }
        }
      }
      incidents(first: 100, after: $after) @include(if: $incidents) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          incidentId
          title
          description
          severity
          status
          significant
          awareAt
          closedAt
          openedBy {
            username
          }
        }
      }
      auditTrail(first: 100, after: $after) @include(if: $auditTrail) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          position
          at
          action
          actorType
          actor
          reason
          hash
          subject {
            type
            databaseId
            name
          }
          changes {
            field
            before
            after
          }
        }
      }
      requests(first: 100, after: $after) @include(if: $requests) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...RequestLine
          answeredBy {
            username
          }
        }
      }
      signOffs(first: 100, after: $after) @include(if: $signOffs) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...SignOffLine
        }
      }
    }
  }
`);

const PARTS = ['controls', 'documents', 'incidents', 'auditTrail', 'requests', 'signOffs'] as const;

/** All visible data of an engagement, as one JSON file. Parts that the reader's role may not see are absent. */
async function readAll(ids: EngagementIds): Promise<{ file?: object; problem?: Problem | undefined }> {
  const first = await fetchOnce(EngagementFileDocument, { ...ids, facts: true });
  if (first.data?.engagement == null) return { problem: first.problem ?? { kind: 'NOT_FOUND', messages: [] } };
  const file: Record<string, unknown> = { ...first.data.engagement };
  for (const part of PARTS) {
    const nodes: unknown[] = [];
    for (let after: string | null = null; ;) {
      const variables: EngagementFileQueryVariables = { ...ids, [part]: true, after };
      const { data, problem } = await fetchOnce(EngagementFileDocument, variables);
      // The permission was revoked before a later page: the part would be incomplete.
      if (problem?.kind === 'FORBIDDEN' && after === null) break;
      const page = data?.engagement?.[part];
      if (page == null) return { problem: problem ?? { kind: 'FAILED', messages: [] } };
      nodes.push(...page.nodes);
      file[part] = nodes;
      after = page.pageInfo.endCursor ?? null;
      if (!page.pageInfo.hasNextPage) break;
    }
  }
  return { file };
}

export function EngagementExport({ ids, name }: { ids: EngagementIds; name: string }) {
  const sending = useSending();
  const download = async () => {
    const read = await sending.run(() => readAll(ids));
    if (read?.file === undefined) return;
    saveFile(new File([JSON.stringify(read.file, null, 2)], `${name}.json`, { type: 'application/json' }));
  };
  return (
    <>
      <p class="below">
        <Button disabled={sending.sending} onClick={() => void download()}>
          {text('pages.engagement.export')}
        </Button>{' '}
        <Sent sending={sending} done={text('pages.done')} />
      </p>
      {sending.problem !== undefined && <Trouble problem={sending.problem} />}
    </>
  );
}
