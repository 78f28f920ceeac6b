import { useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ControlPageQuery, EvidenceState } from '../gql/graphql.js';
import { Badge, Card, Day, Empty, Instant, More, type Tone } from '../parts/basics.js';
import { About } from '../parts/about.js';
import { ControlForm } from '../parts/control-form.js';
import { StateMark, statusKind } from '../parts/control-map.js';
import { Download } from '../parts/download.js';
import { Loaded } from '../parts/feedback.js';
import { Frame } from '../parts/frame.js';
import { link, type Parts } from '../router.js';
import { settings } from '../settings.js';
import { label, text } from '../texts.js';

const ControlPageDocument = graphql(`
  query ControlPage($organizationId: ID!, $workflowId: ID!, $controlId: ID!, $language: String) {
    organization(id: $organizationId) {
      ...OrganizationHeader
    }
    organizationControl(
      organizationId: $organizationId
      workflowId: $workflowId
      controlId: $controlId
      language: $language
    ) {
      ...ControlState
      label
      text
      justification
      overdue
      evidenceState
      viewerCan {
        update
      }
      workflow {
        name
      }
      evidence {
        total
        validUntil
        sources {
          workflowId
          controlId
          label(language: $language)
          documents
          workflow {
            name
          }
        }
      }
      documentVersions(first: 25) {
        totalCount
        nodes {
          databaseId
          filename
          createdAt
          createdBy {
            username
          }
          evidenceState
          validUntil
          note
        }
      }
    }
  }
`);

const DocumentUrl = graphql(`
  query DocumentUrl($organizationId: ID!, $id: ID!) {
    documentVersion(organizationId: $organizationId, id: $id) {
      downloadUrl
    }
  }
`);

type Control = NonNullable<ControlPageQuery['organizationControl']>;

export const evidenceTone = (state: EvidenceState): Tone =>
  ({ FRESH: 'good', EXPIRING: 'warn', STALE: 'bad' })[state] as Tone;

export function ControlPage({ parts: { id = '', workflow = '', control = '' } }: { parts: Parts }) {
  const answer = useAnswer(ControlPageDocument, {
    ...{ organizationId: id, workflowId: workflow, controlId: control, language: settings.language },
  });
  const found = answer.data?.organizationControl;
  return (
    <Frame
      title={found == null ? control : `${found.controlId} ${found.label}`}
      organization={{ id, header: answer.data?.organization, tab: 'overview' }}
      above={{
        href: link`organizations/${id}/workflows/${workflow}`,
        title: found?.workflow?.name ?? text('pages.workflow.title'),
      }}
      aside={found != null && <States control={found} />}
    >
      <Loaded answer={answer} find={(data) => data.organizationControl}>
        {(shown) => (
          <div class="columns">
            <div>
              {Boolean(shown.text) && (
                <Card title={text('pages.control.text')}>
                  <p class="written">{shown.text}</p>
                </Card>
              )}
              <Evidence organizationId={id} control={shown} />
              <Documents organizationId={id} control={shown} />
            </div>
            <div>
              <ControlForm
                organizationId={id}
                workflowId={workflow}
                control={shown}
                canUpdate={shown.viewerCan.update}
                onChanged={answer.reload}
              />
            </div>
          </div>
        )}
      </Loaded>
    </Frame>
  );
}

function States({ control: { status, overdue, evidenceState } }: { control: Control }) {
  return (
    <p class="badges">
      <span class={`badge cell-badge ${statusKind(status)}`}>
        <StateMark status={status} /> {label('ControlStatus', status)}
      </span>
      {overdue && <Badge tone="bad">{text('pages.control.overdue')}</Badge>}
      {evidenceState != null && (
        <Badge tone={evidenceTone(evidenceState)}>
          {text('pages.control.evidenceIs', { state: label('EvidenceState', evidenceState) })}
        </Badge>
      )}
    </p>
  );
}

/** Documents that show that the control is met: its own, and those of controls that require the same. */
function Evidence({ organizationId, control: { evidence } }: { organizationId: string; control: Control }) {
  return (
    <Card title={text('pages.control.evidence')} count={evidence.total}>
      {evidence.total === 0 && <Empty>{text('pages.control.noEvidence')}</Empty>}
      {evidence.total > 0 && evidence.sources.length === 0 && <p>{text('pages.control.ownEvidence')}</p>}
      {evidence.validUntil != null && (
        <p>
          {text('pages.control.validUntil')} <Day date={evidence.validUntil} />
        </p>
      )}
      <ul class="lines">
        {evidence.sources.map((source) => (
          <li key={`${source.workflowId} ${source.controlId}`}>
            <a href={link`organizations/${organizationId}/workflows/${source.workflowId}/controls/${source.controlId}`}>
              <strong>{source.controlId}</strong> {source.label}
            </a>
            <small>
              {text('pages.control.documentsOf', {
                ...{ count: source.documents, workflow: source.workflow?.name ?? source.workflowId },
              })}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Documents({ organizationId, control }: { organizationId: string; control: Control }) {
  const { totalCount, nodes } = control.documentVersions;
  return (
    <Card title={text('pages.control.documents')} count={totalCount}>
      {totalCount === 0 && <Empty>{text('pages.control.noDocuments')}</Empty>}
      <ul class="lines">
        {nodes.map((each) => (
          <li key={each.databaseId}>
            <span class="line-head">
              <About.Provider value={`version-${each.databaseId}`}>
                <Download
                  {...{ query: DocumentUrl, variables: { organizationId, id: String(each.databaseId) } }}
                  find={({ documentVersion }) => documentVersion?.downloadUrl}
                  class="file"
                >
                  {each.filename}
                </Download>
              </About.Provider>
              <Badge tone={evidenceTone(each.evidenceState)}>{label('EvidenceState', each.evidenceState)}</Badge>
            </span>
            <small>
              <span id={`version-${each.databaseId}`}>
                {text('pages.control.version', { id: String(each.databaseId) })}
              </span>{' '}
              · <bdi>{each.createdBy.username}</bdi> · <Instant at={each.createdAt} />
              {each.validUntil != null && (
                <>
                  {' · '}
                  {text('pages.control.validUntil')} <Day date={each.validUntil} />
                </>
              )}
            </small>
            {Boolean(each.note) && <p class="written">{each.note}</p>}
          </li>
        ))}
      </ul>
      <More count={totalCount - nodes.length} />
    </Card>
  );
}
