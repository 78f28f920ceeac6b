import { throwFailures } from '../../common/failures.js';
import { DateTime } from 'luxon';
import { DAY } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { sql, statement, table, type Placeholders } from '../../database/sql.js';
import type { MailPreferences } from '../../entities/members.js';
import type { MailedNotification } from '../../mail/platform-mails.js';
import { NOTIFICATION_TYPES, type NotificationType } from '../../values/enums.js';
import { lockConsumer } from '../audit/consumer.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { readingLanguage } from '../shared/reading-language.js';
import { MOST_DEFERRED } from './deferred-notifications.js';
import { categoryOf } from './mail-preferences.service.js';
import { type MailDeps, post } from './notification-mails.js';

const m = table('membership', 'm');
const u = table('app_user', 'u');
const o = table('organization', 'o');

/** Hour of the day, in local time, of the daily mails. */
const DUE_HOUR = 8;
/** The most days between a notification and its mail, so that a first daily mail lists no old ones. */
const OLDEST = 2;
/** The most notifications in one mail, the newest; the others are counted. */
const LISTED = sql.lit(50);

const n = table('notification', 'n');
const d = table('mail_digest', 'd');
const a = table('mail_allowance', 'a');

/** The condition of the partial index. */
const WANTS_DAILY = sql`${m.mail_preferences} @@ '$.* == "DAILY"'`;

const HAS_DEFERRED = sql`${a.held} <> '{}'`;

interface Candidate {
  id: number;
  name: string;
  sandbox: boolean;
  timeZone: string;
  /** Day of the newest digest; null before the first. */
  day: string | null;
  newest: number;
}

const candidates = statement()(
  () => sql<Candidate>`
    select ${o.id}, ${o.name}, ${o.sandbox}, ${o.time_zone} as "timeZone", ${d.day}, coalesce(${d.notification_id}, 0) as newest
      from ${o.table} left join ${d.table} on ${d.organization_id} = ${o.id}
     where ${o.deleted_at} is null
       and (${o.id} in (select ${m.organization_id} from ${m.table} where ${WANTS_DAILY})
            or ${o.id} in (select ${m.organization_id} from ${m.table}
                             join ${a.table} on ${a.membership_id} = ${m.id} where ${HAS_DEFERRED}))
     order by ${o.id}`,
);

/** Another instance that has posted the digest has changed the day. */
const claim = statement<{ organizationId: number; before: string | null; day: string }>()((p) => {
  const digest = table('mail_digest');
  return sql<{ newest: number }>`
    insert into ${digest.table} (organization_id, day, notification_id)
    select ${p('organizationId')}, ${p('day')}, coalesce(max(${n.id}), 0) from ${n.table}
    on conflict (organization_id) do update set day = excluded.day, notification_id = excluded.notification_id
     where ${digest.day} = ${p('before')}
    returning ${digest.notification_id} as newest`;
});

interface UnreadRow extends MailedNotification {
  email: string;
  language: string;
  type: NotificationType;
  preferences: Partial<MailPreferences> | null;
  /** Of its list. */
  total: number;
  isDeferred: boolean;
  /** Whether the limit of deferred notifications was reached: there may have been more. */
  isFull: boolean;
}

interface Span {
  organizationId: number;
  upTo: number;
  since: Date;
}

/** The columns of each notification. */
const LISTED_OF = sql`${n.type}, ${n.title}, ${n.message}, ${n.href}, count(*) over ()::int as total`;

const isUnread = (p: Placeholders<Span>) =>
  sql`${n.user_id} = ${m.user_id} and ${n.organization_id} = ${m.organization_id} and ${n.id} <= ${p('upTo')}
        and ${n.created_at} > ${p('since')} and not ${n.read}`;

/** Ids become visible in order: reads up to one are complete. */
const unread = statement<Span & { after: number }>()(
  (p) => sql<UnreadRow>`
    select ${u.email}, ${readingLanguage(u.language, p('organizationId'))} as language, ${m.mail_preferences} as preferences, false as "isDeferred", false as "isFull", unread.*
      from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
     cross join lateral (select ${LISTED_OF} from ${n.table}
                          where ${isUnread(p)} and ${n.id} > ${p('after')}
                            and ${m.mail_preferences} ->> lower(${n.type}) = 'DAILY'
                          order by ${n.id} desc limit ${LISTED}) unread
     where ${m.organization_id} = ${p('organizationId')} and ${WANTS_DAILY} and ${ACTIVE_MEMBER}
       and ${u.email_verified_at} is not null`,
);

/**
 * Releases notifications deferred before the digest was due, except those that another consumer has not inserted yet.
 * Those that their member wants daily are in the other list.
 */
const release = statement<Span & { dueAt: string }>()((p) => {
  const released = table('mail_allowance');
  return sql<UnreadRow>`
    with deferred as (
      select ${a.membership_id} as id, ${m.user_id} as reader, ${a.held} as moments from ${a.table} join ${m.table} on ${m.id} = ${a.membership_id}
       where ${m.organization_id} = ${p('organizationId')} and ${HAS_DEFERRED} order by ${a.membership_id} for update of a),
    released as (
      update ${released.table} set held = array(
               select moment from unnest(deferred.moments) as moment
                where moment >= ${p('dueAt')} or moment > ${p('since')} and not exists (
                      select from ${n.table} where ${n.user_id} = deferred.reader and ${n.organization_id} = ${p('organizationId')}
                         and ${n.created_at} = moment and ${n.id} <= ${p('upTo')})
                order by 1 desc)
        from deferred where ${released.membership_id} = deferred.id)
    select ${u.email}, ${readingLanguage(u.language, p('organizationId'))} as language, ${m.mail_preferences} as preferences, true as "isDeferred", cardinality(deferred.moments) >= ${MOST_DEFERRED} as "isFull", unread.*
      from deferred join ${m.table} on ${m.id} = deferred.id and ${ACTIVE_MEMBER}
      join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null and ${u.email_verified_at} is not null
     cross join lateral (select ${LISTED_OF} from ${n.table}
                          where ${isUnread(p)} and ${n.created_at} = any(deferred.moments) and ${n.created_at} < ${p('dueAt')}
                            and coalesce(${m.mail_preferences} ->> lower(${n.type}), '') not in ('DAILY', 'NEVER')
                          order by ${n.id} desc limit ${LISTED}) unread`;
});

/** Daily mails of unread notifications, to the members who want them daily or have deferred ones (docs/adr/0014). */
export class MailDigestService {
  constructor(
    private readonly database: Database,
    private readonly deps: MailDeps,
    private readonly now: () => Date,
  ) {}

  /**
   * Posts due digests, with several instances and after a crash: an organization's digest of a day is posted once, to
   * all members or to none. An error for one organization does not delay others, and is retried.
   */
  async postDue(): Promise<void> {
    const now = this.now();
    const failures = new Map<number, unknown>();
    for (const candidate of await candidates.all(this.database)) {
      try {
        const newest = newestDigest(now, candidate.timeZone);
        if (candidate.day === null || candidate.day < newest.day) await this.postDigest(candidate, newest, now);
      } catch (error) {
        failures.set(candidate.id, error);
      }
    }
    throwFailures(failures, 'no daily mails');
  }

  private postDigest(
    { id: organizationId, name, sandbox, day: before, newest }: Candidate,
    { day, dueAt }: Digest,
    now: Date,
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      // An erasure waits and deletes the mails posted here, or ends before the members are read.
      await lockConsumer(tx, 'mails');
      const claimed = await claim.first(tx, { organizationId, before, day });
      if (claimed === undefined) return;
      const since = new Date(now.getTime() - OLDEST * DAY);
      const span = { organizationId, upTo: claimed.newest, since };
      const daily = await unread.all(tx, { ...span, after: newest });
      const deferred = await release.all(tx, { ...span, dueAt });
      for (const [to, notifications] of Map.groupBy([...daily, ...deferred], ({ email }) => email)) {
        const [first, last] = [notifications[0], notifications.at(-1)] as [UnreadRow, UnreadRow];
        // The rows of each list contain its total.
        const total = first.isDeferred === last.isDeferred ? first.total : first.total + last.total;
        const listed = new Set(notifications.map(({ type }) => type));
        const categories = NOTIFICATION_TYPES.filter(
          (type) => first.preferences?.[categoryOf(type)] === 'DAILY' || listed.has(type),
        ).map(categoryOf);
        await post(
          tx,
          this.deps,
          { to, organizationId, organization: name, sandbox, language: first.language, notifications },
          categories,
          { count: total, isLeast: notifications.some(({ isFull }) => isFull) },
        );
      }
    });
  }
}

interface Digest {
  day: string;
  /** ISO 8601. */
  dueAt: string;
}

/** The newest digest that is due in a time zone; throws a RangeError for an invalid one. */
function newestDigest(now: Date, timeZone: string): Digest {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const due = (local.hour < DUE_HOUR ? local.minus({ days: 1 }) : local).startOf('day').set({ hour: DUE_HOUR }).toUTC();
  const [day, dueAt] = [due.setZone(timeZone).toISODate(), due.toISO()];
  if (day === null || dueAt === null) throw new RangeError(`${timeZone} is no time zone`);
  return { day, dueAt };
}
