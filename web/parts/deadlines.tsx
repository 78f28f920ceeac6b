import { graphql } from '../gql/index.js';
import type { IncidentReportStage, IncidentStageState, OwedReportFragment } from '../gql/graphql.js';
import { link } from '../router.js';
import { label, text } from '../texts.js';
import { Badge, Countdown, Empty, excerpt, Instant, More, toneOf, useNow } from './basics.js';
import { Figure } from './figure.js';

/** A report that is still due for an incident. */
interface Deadline {
  stage: IncidentReportStage;
  number: number;
  regimeName: string;
  /** The latest time at which it may be sent. */
  dueAt: string;
  incident: OwedReportFragment['incident'];
  href: string;
}

graphql(`
  fragment OwedReport on ReportDeadline {
    incident {
      databaseId
      title
    }
    stage
    number
    regimeName
    dueAt
    extendedTo
  }
`);

/** A report that is due for an organization. */
export function owedBy(organizationId: string, { incident, ...report }: OwedReportFragment): Deadline {
  const href = link`organizations/${organizationId}/incidents/${incident.databaseId}`;
  return { ...report, dueAt: report.extendedTo ?? report.dueAt, incident, href };
}

const OWED: readonly IncidentStageState[] = ['PENDING', 'DUE_SOON', 'OVERDUE'];

interface Stage {
  dueAt: string | null;
  /** Set if the law moves a deadline to the next working day. */
  extendedTo: string | null;
  state: IncidentStageState;
}

/** The next report that is due for an incident. */
export function nextOwed<Shown extends Stage>(stages: readonly Shown[]) {
  const owed = stages.flatMap((stage) => {
    const dueAt = stage.extendedTo ?? stage.dueAt;
    return dueAt === null || !OWED.includes(stage.state) ? [] : [{ ...stage, dueAt }];
  });
  return owed.toSorted(byDeadline)[0];
}

type Due = Pick<Deadline, 'dueAt'>;
export const byDeadline = (one: Due, other: Due) => Date.parse(one.dueAt) - Date.parse(other.dueAt);

/** `Notification 2`: repeated stages are numbered. */
export function stageName({ stage, number }: Pick<Deadline, 'stage' | 'number'>): string {
  const name = label('IncidentReportStage', stage);
  return number > 1 ? `${name} ${number}` : name;
}

export function DeadlineFigure({ deadline }: { deadline: Deadline | undefined }) {
  const now = useNow();
  if (deadline === undefined)
    return <Figure label={text('pages.deadline.next')} value={text('pages.deadline.none')} tone="good" />;
  return (
    <Figure
      label={text('pages.deadline.next')}
      value={<Countdown to={deadline.dueAt} />}
      tone={toneOf(deadline.dueAt, now)}
      detail={`${stageName(deadline)} · ${deadline.regimeName}`}
      href={deadline.href}
    />
  );
}

/** Deadlines of an organization: the first ones of `total`. */
export function DeadlineList({ deadlines, total }: { deadlines: readonly Deadline[]; total: number }) {
  const now = useNow();
  if (deadlines.length === 0) return <Empty>{text('pages.deadline.noneOwed')}</Empty>;
  return (
    <>
      <ul class="lines">
        {deadlines.map((each) => (
          <li key={`${each.href} ${each.regimeName} ${each.stage} ${each.number}`}>
            <span class="line-head">
              <a href={each.href}>
                <strong>#{each.incident.databaseId}</strong> {excerpt(each.incident.title, 80)}
              </a>
              <Badge tone={toneOf(each.dueAt, now)}>
                <Countdown to={each.dueAt} />
              </Badge>
            </span>
            <small>
              {stageName(each)} · {each.regimeName} · <Instant at={each.dueAt} />
            </small>
          </li>
        ))}
      </ul>
      <More count={total - deadlines.length} />
    </>
  );
}
