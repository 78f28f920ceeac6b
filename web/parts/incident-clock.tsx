import { useId, useState } from 'preact/hooks';
import { fetchOnce, type Problem } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ClockLinesFragment, DraftReportQuery, IncidentStageState } from '../gql/graphql.js';
import { label, text } from '../texts.js';
import { About } from './about.js';
import { Badge, Card, Countdown, Empty, Instant, Person, type Tone, useNow } from './basics.js';
import { Summary } from './button.js';
import { stageName } from './deadlines.js';
import { Trouble } from './feedback.js';
import { OutsideLink } from './outside-link.js';

graphql(`
  fragment ClockLines on IncidentClock {
    outOfScope {
      regimeId
      regimeName
      reason
      source
    }
    stages {
      stage
      number
      regimeId
      regimeName
      state
      dueAt
      extendedTo
      sentAt
      manner
      mannerReason
      late
      reason
      source
      recipient
      reference
      portalUrl
      sentBy {
        username
      }
    }
  }
`);

type Stage = ClockLinesFragment['stages'][number];

interface ClockProps {
  organizationId: string;
  incidentId: string;
  clock: ClockLinesFragment;
}

const TONES: Record<IncidentStageState, Tone> = {
  ...{ PENDING: 'quiet', DUE_SOON: 'warn', OVERDUE: 'bad', SENT: 'good' },
  ...{ NOT_REQUIRED: 'quiet', TO_BE_DECIDED: 'warn' },
};

/** The latest time at which a report may be sent. */
const deadlineOf = ({ dueAt, extendedTo }: Stage) => extendedTo ?? dueAt ?? undefined;
/** Its time on the line: when it was sent, else when it is due; without a time it is last. */
const timeOf = (stage: Stage) => Date.parse(stage.sentAt ?? deadlineOf(stage) ?? '9999-12-31');

/** The manner of fulfilment: a report that was provided before, or is not due, was not sent. */
const mannerOf = ({ manner }: Stage) => label('ReportManner', manner ?? 'SENT');

/** The required reports in order of time, with the present among them. */
export function IncidentClock({ organizationId, incidentId, clock }: ClockProps) {
  const now = useNow();
  const stages = clock.stages.toSorted((one, other) => timeOf(one) - timeOf(other));
  const past = stages.filter((stage) => timeOf(stage) <= now);
  const drawn = (stage: Stage) => (
    <ClockStage key={`${stage.regimeId} ${stage.stage} ${stage.number}`} {...{ organizationId, incidentId, stage }} />
  );
  return (
    <Card title={text('pages.clock.title')} count={stages.length}>
      {stages.length === 0 && <Empty>{text('pages.clock.none')}</Empty>}
      <ol class="clock">
        {past.map(drawn)}
        {stages.length > 0 && (
          <li class="now">
            <span>{text('pages.clock.now')}</span> <Instant at={new Date(now).toISOString()} />
          </li>
        )}
        {stages.slice(past.length).map(drawn)}
      </ol>
      {clock.outOfScope.length > 0 && (
        <details>
          <summary>{text('pages.clock.outOfScope', { count: clock.outOfScope.length })}</summary>
          {clock.outOfScope.map(({ regimeId, regimeName, reason, source }) => (
            <p key={regimeId}>
              <strong>{regimeName}</strong>: {reason} <small>{source}</small>
            </p>
          ))}
        </details>
      )}
    </Card>
  );
}

/** A report to people has a deadline if the law sets hours. */
const isToPeople = ({ stage }: Stage) => stage === 'COMMUNICATION' || stage === 'THREAT_COMMUNICATION';

type StageProps = Omit<ClockProps, 'clock'> & { stage: Stage };

function ClockStage({ organizationId, incidentId, stage }: StageProps) {
  const due = deadlineOf(stage);
  const about = useId();
  const owed = stage.state === 'PENDING' || stage.state === 'DUE_SOON' || stage.state === 'OVERDUE';
  return (
    <li class={TONES[stage.state]}>
      <div class="line-head">
        <strong id={about}>
          {stageName(stage)} <span class="quiet">· {stage.regimeName}</span>
        </strong>
        <span class="badges">
          <Badge tone={TONES[stage.state]}>
            {stage.state === 'SENT' ? mannerOf(stage) : label('IncidentStageState', stage.state)}
          </Badge>
          {stage.late && <Badge tone="bad">{text('pages.clock.late')}</Badge>}
        </span>
      </div>
      <p class="when">
        {stage.sentAt != null && (
          <>
            {mannerOf(stage)} <Instant at={stage.sentAt} />
            <Person user={stage.sentBy} />
            {due !== undefined && <br />}
          </>
        )}
        {due !== undefined && (
          <>
            {text('pages.clock.due')} <Instant at={due} />
            {owed && (
              <>
                {' '}
                · <Countdown to={due} />
              </>
            )}
          </>
        )}
        {due === undefined && owed && text(isToPeople(stage) ? 'pages.clock.withoutDelay' : 'pages.clock.noTime')}
      </p>
      <p>{stage.reason}</p>
      {stage.mannerReason != null && <p class="written">{stage.mannerReason}</p>}
      <About.Provider value={about}>
        <small>
          {[
            stage.source,
            stage.recipient && text('pages.clock.to', { recipient: stage.recipient }),
            stage.reference && text('pages.clock.reference', { reference: stage.reference }),
          ]
            .filter(Boolean)
            .join(' · ')}
          {stage.portalUrl != null && (
            <>
              {' · '}
              <OutsideLink href={stage.portalUrl}>{text('pages.clock.portal')}</OutsideLink>
            </>
          )}
        </small>
        {owed && <Draft {...{ organizationId, incidentId, stage }} />}
      </About.Provider>
    </li>
  );
}

const DraftReport = graphql(`
  query DraftReport(
    $organizationId: ID!
    $incidentId: ID!
    $regimeId: String!
    $stage: IncidentReportStage!
    $number: Int
  ) {
    draftIncidentReport(
      organizationId: $organizationId
      incidentId: $incidentId
      regimeId: $regimeId
      stage: $stage
      number: $number
    ) {
      missing
      fields {
        key
        label
        value
        missing
        law
      }
    }
  }
`);

type ReportDraft = NonNullable<DraftReportQuery['draftIncidentReport']>;

/** The content of the report from the known facts, read each time it is opened. */
function Draft({ organizationId, incidentId, stage: { regimeId, stage, number } }: StageProps) {
  const [draft, setDraft] = useState<{ data?: ReportDraft | undefined; problem?: Problem | undefined }>();
  const opened = async (open: boolean) => {
    if (!open) return;
    const { data, problem } = await fetchOnce(DraftReport, { organizationId, incidentId, regimeId, stage, number });
    setDraft({ data: data?.draftIncidentReport ?? undefined, problem });
  };
  return (
    <details onToggle={(event) => void opened(event.currentTarget.open)}>
      <Summary>{text('pages.draft.title')}</Summary>
      {draft === undefined && <p role="status">{text('pages.loading')}</p>}
      {draft?.problem !== undefined && <Trouble problem={draft.problem} />}
      {draft?.data !== undefined && <DraftFields draft={draft.data} />}
    </details>
  );
}

function DraftFields({ draft: { fields, missing } }: { draft: ReportDraft }) {
  return (
    <>
      {missing.length > 0 && <p class="warn">{text('pages.draft.missing', { count: missing.length })}</p>}
      <dl class="facts">
        {fields.map((field) => (
          <div key={field.key}>
            <dt>
              {field.label} {field.law != null && <small>{field.law}</small>}
            </dt>
            <dd class="written">
              {field.value ?? (
                <span class={field.missing ? 'warn' : 'quiet'}>
                  {text(field.missing ? 'pages.draft.isMissing' : 'pages.draft.isOptional')}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
