import { graphql } from '../gql/index.js';
import type { IncidentReportStage, IncidentStageState, OwedReportFragment } from '../gql/graphql.js';
import { link } from '../router.js';
import { label, text } from '../texts.js';
import { Badge, Countdown, Empty, excerpt, Instant, toneOf, useNow } from './basics.js';
import { Figure } from './figure.js';

interface Stage {
  stage: IncidentReportStage;
  number: number;
  regimeName: string;
  dueAt?: string | null;
  /** Where the law lets a deadline pass to the next working day. */
  extendedTo?: string | null;
  state: IncidentStageState;
}

interface WithClock {
  databaseId: number;
  title: string;
  clock: { stages: readonly Stage[] };
}

/** A report that an incident still owes. */
export interface Deadline extends Stage {
  dueAt: string;
  title: string;
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
    state
  }
`);

/** A report that an organization owes. */
export function owedBy(organizationId: string, { incident, ...report }: OwedReportFragment): Deadline {
  const href = link`organizations/${organizationId}/incidents/${incident.databaseId}`;
  return { ...report, dueAt: report.extendedTo ?? report.dueAt, title: incident.title, href };
}

const OWED: readonly IncidentStageState[] = ['PENDING', 'DUE_SOON', 'OVERDUE'];

/** Reports that incidents of an organization owe, the next first. */
export function deadlinesOf(organizationId: string, incidents: readonly WithClock[]): Deadline[] {
  return incidents
    .flatMap(({ databaseId, title, clock }) =>
      clock.stages.flatMap((stage) => {
        const dueAt = stage.extendedTo ?? stage.dueAt;
        if (dueAt == null || !OWED.includes(stage.state)) return [];
        return [{ ...stage, dueAt, title, href: link`organizations/${organizationId}/incidents/${databaseId}` }];
      }),
    )
    .toSorted(byDeadline);
}

/** By until when they may be sent. */
export const byDeadline = (one: Deadline, other: Deadline) => Date.parse(one.dueAt) - Date.parse(other.dueAt);

/** `Notification 2`: stages that come several times are numbered. */
export function stageName({ stage, number }: Pick<Stage, 'stage' | 'number'>): string {
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

/** Deadlines that an organization has to meet: the first of `total`. */
export function DeadlineList({ deadlines, total }: { deadlines: readonly Deadline[]; total: number }) {
  const now = useNow();
  if (deadlines.length === 0) return <Empty>{text('pages.deadline.noneOwed')}</Empty>;
  return (
    <>
      <ul class="lines">
        {deadlines.map((each) => (
          <li key={`${each.href} ${each.regimeName} ${each.stage} ${each.number}`}>
            <span class="line-head">
              <a href={each.href}>{excerpt(each.title, 80)}</a>
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
      {total > deadlines.length && <Empty>{text('pages.more', { count: total - deadlines.length })}</Empty>}
    </>
  );
}
