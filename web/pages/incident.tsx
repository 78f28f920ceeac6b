import { send, useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { IncidentPageQuery, IncidentSeverity, IncidentStatus } from '../gql/graphql.js';
import { Card, Instant, Person } from '../parts/basics.js';
import { IncidentClock } from '../parts/incident-clock.js';
import { IncidentNotes } from '../parts/incident-notes.js';
import { Loaded } from '../parts/feedback.js';
import { Choice, Form, optionsOf, useDraft, useReadVersion, useSending } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { Rehearsal } from '../parts/rehearsal.js';
import { IncidentBadges, SEVERITIES } from '../parts/incident-badges.js';
import { link, type Parts } from '../router.js';
import { settings } from '../settings.js';
import { label, text } from '../texts.js';

const IncidentPageDocument = graphql(`
  query IncidentPage($organizationId: ID!, $id: ID!, $language: String) {
    organization(id: $organizationId) {
      ...OrganizationHeader
    }
    incident(organizationId: $organizationId, id: $id) {
      databaseId
      version
      status
      severity
      title
      description
      impact
      rootCause
      mitigation
      significant
      rehearsal
      category
      awareAt
      occurredAt
      handledAt
      createdAt
      closedAt
      openedBy {
        username
      }
      viewerCan {
        update
        addNotes
      }
      clock(language: $language) {
        ...ClockLines
      }
      notes(last: 50) {
        ...NoteLines
      }
    }
  }
`);

const ChangeIncident = graphql(`
  mutation ChangeIncident($input: UpdateIncidentInput!) {
    updateIncident(input: $input) {
      incident {
        version
      }
    }
  }
`);

type Incident = NonNullable<IncidentPageQuery['incident']>;

export function IncidentPage({ parts: { id = '', incident = '' } }: { parts: Parts }) {
  const { language } = settings;
  const answer = useAnswer(IncidentPageDocument, { organizationId: id, id: incident, language });
  const found = answer.data?.incident;
  const above = { href: link`organizations/${id}/incidents`, title: text('pages.tab.incidents') };
  return (
    <Frame
      title={found?.title ?? text('pages.incident.title')}
      organization={{ id, header: answer.data?.organization, tab: 'incidents' }}
      above={above}
      aside={found != null && <IncidentBadges incident={found} />}
    >
      <Loaded answer={answer} find={(data) => data.incident}>
        {(shown) => (
          <div class="columns">
            <div>
              <IncidentClock organizationId={id} incidentId={incident} clock={shown.clock} />
              {shown.rehearsal && (
                <Rehearsal
                  organizationId={id}
                  incidentId={incident}
                  mayRead={answer.data?.organization?.viewerPrivileges.includes('READ_AUDIT_TRAIL') ?? false}
                  regimes={new Map(shown.clock.stages.map(({ regimeId, regimeName }) => [regimeId, regimeName]))}
                />
              )}
              <IncidentNotes
                organizationId={id}
                incidentId={incident}
                notes={shown.notes}
                canAdd={shown.viewerCan.addNotes}
                onAdded={answer.reload}
              />
            </div>
            <div>
              {shown.viewerCan.update && <StateForm organizationId={id} incident={shown} onChanged={answer.reload} />}
              <Facts incident={shown} />
            </div>
          </div>
        )}
      </Loaded>
    </Frame>
  );
}

const STATUSES: readonly IncidentStatus[] = ['OPEN', 'CONTAINED', 'RESOLVED'];

interface StateFormProps {
  organizationId: string;
  incident: Incident;
  onChanged: () => void;
}

/**
 * Status and severity. The form sends the version it was shown with: a concurrent change is reported, not overwritten.
 */
function StateForm({ organizationId, incident, onChanged }: StateFormProps) {
  const sending = useSending();
  const [status, setStatus, settleStatus] = useDraft('status');
  const [severity, setSeverity, settleSeverity] = useDraft('severity');
  const isChanged = status !== undefined || severity !== undefined;
  const { version, retain, release } = useReadVersion(incident.version, isChanged);
  // While it is sent, the previous value remains a choice.
  const textOf = (value: string, own: string) => (value === own && !sending.sending ? undefined : value);
  const submit = async () => {
    const changes = {
      ...(status !== undefined && { status: status as IncidentStatus }),
      ...(severity !== undefined && { severity: severity as IncidentSeverity }),
    };
    const input = { organizationId, incidentId: incident.databaseId, version, ...changes };
    const sent = await sending.run(() => send(ChangeIncident, { input }));
    if (sent?.data === undefined && sent?.problem?.kind !== 'STALE') return;
    const isChangedSince = sent.data !== undefined && [settleStatus(status), settleSeverity(severity)].includes(true);
    release(sent.data?.updateIncident?.incident.version, isChangedSince);
    onChanged();
  };
  return (
    <Card title={text('pages.incident.state')}>
      <Form
        sending={sending}
        onSubmit={submit}
        submit={text('pages.action.save')}
        disabled={!isChanged}
        remedy={
          sending.problem?.kind === 'STALE' && (
            <p>
              {text('pages.stale.now', {
                value: `${label('IncidentStatus', incident.status)}, ${label('IncidentSeverity', incident.severity)}`,
              })}
            </p>
          )
        }
      >
        <Choice
          name="status"
          label={text('pages.incident.status')}
          value={(status as IncidentStatus | undefined) ?? incident.status}
          options={optionsOf('IncidentStatus', [...new Set([...STATUSES, incident.status])])}
          onChange={(value) => {
            retain();
            setStatus(textOf(value, incident.status));
          }}
        />
        <Choice
          name="severity"
          label={text('pages.incident.severity')}
          value={(severity as IncidentSeverity | undefined) ?? incident.severity}
          options={optionsOf('IncidentSeverity', SEVERITIES)}
          onChange={(value) => {
            retain();
            setSeverity(textOf(value, incident.severity));
          }}
        />
      </Form>
    </Card>
  );
}

function Facts({ incident }: { incident: Incident }) {
  const { description, impact, rootCause, mitigation, category, createdAt, openedBy } = incident;
  const { awareAt, occurredAt, handledAt, closedAt } = incident;
  const texts = [
    ['pages.incident.description', description],
    ['pages.incident.impact', impact],
    ['pages.incident.rootCause', rootCause],
    ['pages.incident.mitigation', mitigation],
  ] as const;
  return (
    <Card title={text('pages.incident.facts')}>
      <dl class="facts">
        <Time name={text('pages.incident.awareAt')} at={awareAt} />
        <Time name={text('pages.incident.occurredAt')} at={occurredAt} />
        <dt>{text('pages.incident.openedAt')}</dt>
        <dd>
          <Instant at={createdAt} />
          <Person user={openedBy} />
        </dd>
        <Time name={text('pages.incident.handledAt')} at={handledAt} />
        <Time name={text('pages.incident.closedAt')} at={closedAt} />
        {category != null && (
          <>
            <dt>{text('pages.incident.category')}</dt>
            <dd>{category.replaceAll('_', '-')}</dd>
          </>
        )}
        {texts.map(
          ([name, value]) =>
            Boolean(value) && (
              <div key={name}>
                <dt>{text(name)}</dt>
                <dd class="written">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  );
}

function Time({ name, at }: { name: string; at: string | null }) {
  if (at === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Instant at={at} />
      </dd>
    </>
  );
}
