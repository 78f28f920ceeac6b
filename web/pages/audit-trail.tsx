import { useContext, useState } from 'preact/hooks';
import { fetchOnce, saveFile, load, send, useAnswer, type Loading, type Problem } from '../api.js';
import { addDays, beginOf, dayOf, endOf, isDay } from '../days.js';
import { graphql } from '../gql/index.js';
import type { AuditEntriesQuery, AuditSubjectType } from '../gql/graphql.js';
import { Card, CardTitle, Empty, Instant, useZone, useZoneHint } from '../parts/basics.js';
import { About, useName } from '../parts/about.js';
import { Button, Summary } from '../parts/button.js';
import { Loaded, Trouble } from '../parts/feedback.js';
import { Filter, useQuery } from '../parts/filter.js';
import { Field, optionsOf, Sent, useSending } from '../parts/form.js';
import { Frame } from '../parts/frame.js';
import { Pager, pageOf } from '../parts/pager.js';
import type { Parts } from '../router.js';
import { ROOT } from '../settings.js';
import { label, number, text, type PageText } from '../texts.js';

/** A query of its own, since the entries are filtered by days of the organization's zone. */
const AuditTrailPageDocument = graphql(`
  query AuditTrailPage($id: ID!) {
    organization(id: $id) {
      ...OrganizationHeader
    }
  }
`);

const AuditEntriesDocument = graphql(`
  query AuditEntries($id: ID!, $first: Int, $last: Int, $after: String, $before: String, $filter: AuditEntryFilter) {
    organization(id: $id) {
      auditTrail(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
        totalCount
        pageInfo {
          ...PageLinks
        }
        nodes {
          position
          at
          action
          reason
          hash
          actor {
            type
            job
            user {
              username
            }
          }
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
    }
  }
`);

const SUBJECTS: readonly AuditSubjectType[] = [
  ...(['ORGANIZATION', 'MEMBER', 'INVITATION', 'SERVICE_ACCOUNT', 'TOKEN', 'WORKFLOW', 'CONTROL'] as const),
  ...(['DOCUMENT_VERSION', 'INCIDENT', 'INCIDENT_ATTACHMENT', 'CLOUD_DEFENDER', 'THREAT_BLOCKER'] as const),
  ...(['ENGAGEMENT', 'WEBHOOK_ENDPOINT', 'IDENTITY_PROVIDER', 'SCIM_GROUP', 'SCIM_TOKEN', 'IMPORT_JOB'] as const),
];

export function AuditTrailPage({ parts: { id = '' } }: { parts: Parts }) {
  const answer = useAnswer(AuditTrailPageDocument, { id });
  return (
    <Frame
      title={text('pages.tab.auditTrail')}
      organization={{ id, header: answer.data?.organization, tab: 'auditTrail' }}
    >
      <Loaded answer={answer} find={({ organization }) => organization}>
        {() => <Trail id={id} />}
      </Loaded>
    </Frame>
  );
}

function Trail({ id }: { id: string }) {
  const query = useQuery();
  const zone = useZone();
  const subjectType = SUBJECTS.find((each) => each === query.get('subject'));
  const [from, to] = [midnight(query.get('from'), zone), midnight(query.get('to'), zone, 1)];
  const filter = { ...(subjectType && { subjectType }), ...(from && { from }), ...(to && { to }) };
  const answer = useAnswer(AuditEntriesDocument, { id, filter, ...pageOf(query) });
  return (
    <>
      {answer.problem?.kind !== 'FORBIDDEN' && <Verification id={id} />}
      <Filter
        choices={[
          { name: 'subject', label: text('pages.audit.subject'), options: optionsOf('AuditSubjectType', SUBJECTS) },
        ]}
        days={[
          { name: 'from', label: text('pages.audit.from') },
          { name: 'to', label: text('pages.audit.to') },
        ]}
      >
        <Loaded answer={answer} find={({ organization }) => organization?.auditTrail}>
          {({ totalCount, nodes, pageInfo }) => (
            <Card title={text('pages.audit.entries')} count={totalCount}>
              {nodes.length === 0 && <Empty>{text('pages.audit.none')}</Empty>}
              <ul class="lines">
                {nodes.map((entry) => (
                  <Entry key={entry.position} entry={entry} />
                ))}
              </ul>
              <Pager info={pageInfo} query={query} />
            </Card>
          )}
        </Loaded>
      </Filter>
    </>
  );
}

/** The beginning of a day in a zone, or of the day after it; undefined for an invalid day, which the filter reports. */
function midnight(date: string | null, zone: string, daysLater = 0): string | undefined {
  if (date === null || !isDay(date)) return undefined;
  return new Date(beginOf(addDays(date, daysLater), zone)).toISOString();
}

type Entry = NonNullable<NonNullable<AuditEntriesQuery['organization']>['auditTrail']>['nodes'][number];

function Entry({ entry: { position, at, action, reason, hash, actor, subject, changes } }: { entry: Entry }) {
  const about = `entry-${position}`;
  return (
    <li>
      <span class="line-head">
        <span id={about}>
          <span class="quiet">{number(position)}</span> <strong>{label('AuditAction', action)}</strong> ·{' '}
          <bdi>{nameOf(subject)}</bdi>
        </span>
        <small>
          <Instant at={at} />
        </small>
      </span>
      <small>
        <Actor actor={actor} />
        {reason != null && <> · {reason}</>}
      </small>
      {changes.length > 0 && (
        <details>
          <About.Provider value={about}>
            <Summary>{text('pages.audit.changes', { count: changes.length })}</Summary>
          </About.Provider>
          <dl class="facts">
            {changes.map(({ field, before, after }) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd class="written">
                  {before != null && <del>{shown(before)}</del>} {after != null && <ins>{shown(after)}</ins>}
                </dd>
              </div>
            ))}
          </dl>
          <small class="hash">{hash}</small>
        </details>
      )}
    </li>
  );
}

/** The name of a person, or of a directory's token; for the gateway, its reason in words beside the name of the job. */
function Actor({ actor: { type, user, job } }: { actor: Entry['actor'] }) {
  if (type === 'SCIM' && job != null)
    return <bdi>{text('pages.audit.directory', { name: job.slice('scim:'.length) })}</bdi>;
  if (job == null) return <bdi>{user?.username ?? label('AuditActorType', type)}</bdi>;
  const name = BY[job];
  return (
    <>
      {name === undefined ? label('AuditActorType', type) : text(name)} <code>{job}</code>
    </>
  );
}

/** Jobs that do not run for the gateway alone. */
const BY: Readonly<Record<string, PageText>> = {
  'identity-provider': 'pages.audit.byProvider',
  operator: 'pages.audit.byOperator',
  'signed-address': 'pages.audit.byAddress',
  'token-recovery': 'pages.audit.byRecovery',
  unsubscribe: 'pages.audit.byMail',
};

/** An import is named by its kind; an erased person has no name. */
function nameOf({ type, name, databaseId }: Entry['subject']): string {
  if (name != null && type !== 'IMPORT_JOB') return name;
  const kind = name == null ? label('AuditSubjectType', type) : label('ImportJobKind', name);
  return `${kind} ${databaseId}`;
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A separate request: it reads the whole trail, and the entries do not wait for it. */
const VerifyTrail = graphql(`
  query VerifyTrail($id: ID!) {
    organization(id: $id) {
      auditTrailVerification {
        valid
        entries
        checkpoints
        verifiedFrom
        verifiedUpTo
        fault {
          message
          position
        }
      }
    }
  }
`);

function Verification({ id }: { id: string }) {
  const answer = useAnswer(VerifyTrail, { id });
  return (
    <Loaded answer={answer} find={({ organization }) => organization?.auditTrailVerification}>
      {({ valid, entries, checkpoints, verifiedFrom, verifiedUpTo, fault }) => (
        <>
          <section class={`card verdict ${valid ? 'good' : 'bad'}`} role="status">
            <h2>{text(valid ? 'pages.audit.valid' : 'pages.audit.fault')}</h2>
            <p>
              {fault == null
                ? text('pages.audit.verified', { entries, from: verifiedFrom, to: verifiedUpTo, checkpoints })
                : text('pages.audit.faultAt', { position: fault.position, message: fault.message })}
            </p>
            <Checkpoint id={id} onSigned={answer.reload} />
          </section>
          {valid && <Proof id={id} />}
        </>
      )}
    </Loaded>
  );
}

const SignCheckpoint = graphql(`
  mutation SignCheckpoint($input: CreateAuditCheckpointInput!) {
    createAuditCheckpoint(input: $input) {
      checkpoint {
        log
        number
        position
        hash
        at
        previous
        chainSignature
        keyId
        signature
      }
    }
  }
`);

/** Signs the newest entry, for a reader who stores the checkpoint elsewhere. */
function Checkpoint({ id, onSigned }: { id: string; onSigned: () => void }) {
  const sending = useSending();
  const [signed, setSigned] = useState<string>();
  const sign = async () => {
    const sent = await sending.run(() => send(SignCheckpoint, { input: { organizationId: id } }));
    const made = sent?.data?.createAuditCheckpoint;
    if (made == null) return;
    setSigned(JSON.stringify(made.checkpoint, null, 2));
    onSigned();
  };
  return (
    <>
      <p>
        <Button disabled={sending.sending} onClick={() => void sign()}>
          {text('pages.audit.sign')}
        </Button>{' '}
        <Sent sending={sending} done={text('pages.done')} /> <GuideLink path="guides/audit-trail" />
      </p>
      {sending.problem !== undefined && <Trouble problem={sending.problem} />}
      {signed !== undefined && <pre tabIndex={0}>{signed}</pre>}
    </>
  );
}

function GuideLink({ path }: { path: string }) {
  return (
    <a {...useName(useContext(CardTitle))} href={ROOT + path}>
      {text('pages.audit.guide')}
    </a>
  );
}

const FAILED: Problem = { kind: 'FAILED', messages: [] };

const ProofUrl = graphql(`
  query ProofUrl($id: ID!, $asOf: DateTime) {
    organization(id: $id) {
      proofUrl(asOf: $asOf)
    }
  }
`);

/**
 * Proof of a day; there is none while the trail has a violation. Its address expires soon, so it is created on demand,
 * which takes a while for a long trail.
 */
function Proof({ id }: { id: string }) {
  const sending = useSending();
  const zone = useZone();
  const zoneHint = useZoneHint();
  const today = dayOf(Date.now(), zone);
  const [date, setDate] = useState(today);
  const download = async () => {
    // A day that has not ended is proved up to now.
    const asOf = date === today ? null : endOf(date, zone);
    const made = await sending.run(async (): Promise<Loading> => {
      const { data, problem } = await fetchOnce(ProofUrl, { id, asOf });
      const url = data?.organization?.proofUrl;
      return url == null ? { problem: problem ?? FAILED } : load(url);
    });
    if (made?.file !== undefined) saveFile(made.file);
  };
  return (
    <Card title={text('pages.audit.proof')}>
      <p>
        {text('pages.audit.proofText')} <GuideLink path="guides/audit-trail#proof-of-a-day" />
      </p>
      <form
        class="form-foot below"
        onSubmit={(event) => {
          event.preventDefault();
          void download();
        }}
      >
        <Field label={text('pages.audit.proofDay')} hint={zoneHint}>
          <input
            type="date"
            required
            max={today}
            value={date}
            onInput={(event) => setDate(event.currentTarget.value)}
          />
        </Field>
        <Button disabled={sending.sending}>{text('pages.audit.proofGet')}</Button>
        <span role="status">{sending.sending && text('pages.audit.proofComes')}</span>
      </form>
      {sending.problem !== undefined && <Trouble problem={sending.problem} />}
    </Card>
  );
}
