import type { IncidentReportStage, IncidentSeverity, IncidentStageState } from '../gql/graphql.js';
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
  severity: IncidentSeverity;
  clock: { stages: readonly Stage[] };
}

/** A report that an incident still owes. */
export interface Deadline extends Stage {
  dueAt: string;
  title: string;
  href: string;
}

const OWED: readonly IncidentStageState[] = ['PENDING', 'DUE_SOON', 'OVERDUE'];

/** Of incidents of an organization: what is owed, the next first. */
export function deadlinesOf(organizationId: string, incidents: readonly WithClock[]): Deadline[] {
  return incidents
    .flatMap(({ databaseId, title, clock }) =>
      clock.stages.flatMap((stage) => {
        const dueAt = stage.extendedTo ?? stage.dueAt;
        if (dueAt == null || !OWED.includes(stage.state)) return [];
        return [{ ...stage, dueAt, title, href: link`organizations/${organizationId}/incidents/${databaseId}` }];
      }),
    )
    .toSorted((one, other) => Date.parse(one.dueAt) - Date.parse(other.dueAt));
}

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

const SHOWN = 12;

export function DeadlineList({ deadlines }: { deadlines: readonly Deadline[] }) {
  const now = useNow();
  if (deadlines.length === 0) return <Empty>{text('pages.deadline.noneOwed')}</Empty>;
  return (
    <>
      <ul class="lines">
        {deadlines.slice(0, SHOWN).map((each) => (
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
      {deadlines.length > SHOWN && <Empty>{text('pages.more', { count: deadlines.length - SHOWN })}</Empty>}
    </>
  );
}
