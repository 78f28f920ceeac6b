import { send, useAnswer } from '../api.js';
import { graphql } from '../gql/index.js';
import type { IncidentSeverity, RehearsalReportQuery } from '../gql/graphql.js';
import { go, link } from '../router.js';
import { label, span, text } from '../texts.js';
import { Badge, Card, Empty, Instant, Person } from './basics.js';
import { stageName } from './deadlines.js';
import { Loaded } from './feedback.js';
import { SEVERITIES } from './incident-badges.js';
import { Choice, Field, Form, optionsOf, useDraft, useSending } from './form.js';

const RehearsalReportDocument = graphql(`
  query RehearsalReport($organizationId: ID!, $incidentId: ID!) {
    rehearsalReport(organizationId: $organizationId, incidentId: $incidentId) {
      closedAt
      speed
      firstNoteAt
      stages {
        regimeId
        regimeName
        stage
        number
        state
        dueAt
        sentAt
        lateSeconds
        sentBy {
          username
        }
      }
      reactions {
        action
        at
        secondsAfterOpening
        user {
          username
        }
      }
    }
  }
`);

type Report = NonNullable<RehearsalReportQuery['rehearsalReport']>;

interface ReportProps {
  organizationId: string;
  incidentId: string;
  /** Whether the reader may read the audit trail, which the report is generated from. */
  mayRead: boolean;
  /** Names of regimes in the reader's language, by their ids: the report has the recorded names. */
  regimes: ReadonlyMap<string, string>;
}

/** The state of a rehearsal, and the reaction times of members. */
export function Rehearsal(props: ReportProps) {
  return (
    <Card title={text('pages.rehearsal.title')}>
      {props.mayRead ? <ReportLines {...props} /> : <Empty>{text('pages.rehearsal.forOfficers')}</Empty>}
    </Card>
  );
}

function ReportLines({ organizationId, incidentId, regimes }: ReportProps) {
  const answer = useAnswer(RehearsalReportDocument, { organizationId, incidentId });
  return (
    <Loaded answer={answer} find={({ rehearsalReport }) => rehearsalReport}>
      {({ closedAt, speed, firstNoteAt, stages, reactions }) => (
        <>
          <p>
            {text('pages.rehearsal.speed', { speed })}{' '}
            {closedAt == null ? (
              text('pages.rehearsal.goesOn')
            ) : (
              <>
                {text('pages.rehearsal.ended')} <Instant at={closedAt} />
              </>
            )}
          </p>
          <h3 class="below">{text('pages.rehearsal.reactions')}</h3>
          {reactions.length === 0 && <Empty>{text('pages.rehearsal.noReactions')}</Empty>}
          <ul class="lines">
            {reactions.map((each) => (
              <Reaction key={each.at + each.user?.username} reaction={each} />
            ))}
          </ul>
          <p class="below">
            {text('pages.rehearsal.firstNote')}{' '}
            {firstNoteAt == null ? text('pages.rehearsal.none') : <Instant at={firstNoteAt} />}
          </p>
          <h3 class="below">{text('pages.rehearsal.reports')}</h3>
          {stages.length === 0 && <Empty>{text('pages.clock.none')}</Empty>}
          <ul class="lines">
            {stages.map((each) => (
              <StageLine
                key={`${each.regimeId} ${each.stage} ${each.number}`}
                stage={each}
                regime={regimes.get(each.regimeId) ?? each.regimeName}
              />
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

function Reaction({ reaction: { user, action, at, secondsAfterOpening } }: { reaction: Report['reactions'][number] }) {
  return (
    <li>
      <span class="line-head">
        <bdi>{user?.username ?? text('pages.rehearsal.formerUser')}</bdi>
        <span>{text('pages.rehearsal.after', { span: span(secondsAfterOpening * 1000) })}</span>
      </span>
      <small>
        {label('AuditAction', action)} · <Instant at={at} />
      </small>
    </li>
  );
}

function StageLine({ stage, regime }: { stage: Report['stages'][number]; regime: string }) {
  const { dueAt, sentAt, sentBy, lateSeconds, state } = stage;
  return (
    <li>
      <span class="line-head">
        <span>
          <strong>{stageName(stage)}</strong> · {regime}
        </span>
        <Badge tone={lateSeconds != null ? 'bad' : sentAt != null ? 'good' : 'quiet'}>
          {lateSeconds == null
            ? label('IncidentStageState', state)
            : text('pages.time.late', { span: span(lateSeconds * 1000) })}
        </Badge>
      </span>
      <small>
        {dueAt != null && (
          <>
            {text('pages.clock.due')} <Instant at={dueAt} />
          </>
        )}
        {sentAt != null && (
          <>
            {dueAt != null && ' · '}
            {text('pages.clock.sent')} <Instant at={sentAt} />
            <Person user={sentBy} />
          </>
        )}
      </small>
    </li>
  );
}

const StartRehearsalDocument = graphql(`
  mutation StartRehearsal($input: OpenIncidentInput!) {
    openIncident(input: $input) {
      incident {
        databaseId
      }
    }
  }
`);

/** Opens a rehearsed incident in a sandbox, and navigates to it. */
export function StartRehearsal({ organizationId }: { organizationId: string }) {
  const sending = useSending();
  const [title = '', setTitle, settleTitle] = useDraft('rehearsal');
  const [severity = 'HIGH', setSeverity, settleSeverity] = useDraft('rehearsal-severity');
  const [insignificant, setInsignificant, settleInsignificant] = useDraft('rehearsal-insignificant');
  const significant = insignificant === undefined;
  const start = async () => {
    const input = { organizationId, title, severity: severity as IncidentSeverity, significant, rehearsal: true };
    const begun = location.pathname;
    const sent = await sending.run(() => send(StartRehearsalDocument, { input }));
    const opened = sent?.data?.openIncident?.incident;
    if (opened == null) return;
    settleTitle(title);
    settleSeverity(severity);
    settleInsignificant(insignificant);
    // Not if another page was opened meanwhile.
    if (location.pathname === begun) go(link`organizations/${organizationId}/incidents/${opened.databaseId}`);
  };
  return (
    <Card title={text('pages.rehearsal.start')}>
      <p>{text('pages.rehearsal.what')}</p>
      <Form sending={sending} onSubmit={start} submit={text('pages.rehearsal.start')} disabled={title.trim() === ''}>
        <Field name="title" label={text('pages.rehearsal.incident')}>
          <input value={title} onInput={(event) => setTitle(event.currentTarget.value || undefined)} />
        </Field>
        <Choice
          label={text('pages.incident.severity')}
          value={severity}
          options={optionsOf('IncidentSeverity', SEVERITIES)}
          onChange={setSeverity}
        />
        <label>
          <input
            type="checkbox"
            checked={significant}
            onChange={(event) => setInsignificant(event.currentTarget.checked ? undefined : 'yes')}
          />{' '}
          {text('pages.incident.significant')}
        </label>
      </Form>
    </Card>
  );
}
