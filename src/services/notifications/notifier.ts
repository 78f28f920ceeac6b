import { rolesFrom, rolesWith, type Privilege } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { insertSelect, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import { markedAsSandbox } from '../../mail/mail-layout.js';
import { ENGLISH } from '../../messages/catalogue.js';
import { languageOf, LANGUAGES, type Language } from '../../messages/language.js';
import type { KeyBelow } from '../../messages/message-key.js';
import type { AuditAction } from '../../values/audit.js';
import type { NotificationType, Role } from '../../values/enums.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { readingLanguage } from '../shared/reading-language.js';

/** Alert preferences of a member, by product (specification 2.8). */
export type Alerts = 'atb' | 'cloud_defender' | 'v_ciso';

/** A notification before it is stored for each recipient. */
export interface Notice {
  type: NotificationType;
  title: string;
  message: string;
  /** Relative link to its subject. */
  href?: string;
  /** Members with this privilege, and these users if they are members, without duplicates. */
  to: { privilege: Privilege; users?: readonly string[] } | { users: readonly string[] };
  /** Only members who want alerts of this product. */
  alerts?: Alerts;
  /** A user who is not notified; the actor when absent. */
  except?: string | null;
  /** Urgent for members with at least this role, for none when absent: mailed unless they opted out. */
  urgentFrom?: Role;
  /** Marks a notification with a deadline, which is never deferred, whatever the number of mails. */
  deadline?: true;
}

/** A notice with its entry, and its texts in each language. */
export interface NotifiableEvent extends Omit<Notice, 'title' | 'message'> {
  texts: InEachLanguage<Pick<Notice, 'title' | 'message'>>;
  organizationId: number;
  /** ISO 8601. */
  at: string;
}

/**
 * Notifications of each action. The entry has all values that the texts name. The creation of an organization is not
 * consumed (`beginTrails`).
 */
export type NotificationRules = { readonly [Action in AuditAction]?: NotificationRule<EntryOf<Action>> } & {
  ORGANIZATION_CREATED?: never;
};
type NotificationRule<Entry> = (entry: Entry, language: Language) => readonly Notice[];

/** An entry of some actions. */
export type EntryOf<Action extends AuditAction> = LoggedEntry & { readonly action: Action };

/** The name of the texts of a notification, which may be that of the action. */
export type NoticeName =
  KeyBelow<'notice'> extends infer Key ? (Key extends `${infer Name}.title` ? Name : never) : never;

/** An entry whose action is such a name. */
export type NoticedEntry = EntryOf<AuditAction & NoticeName>;

export function eventsOf(rules: NotificationRules, entries: readonly LoggedEntry[]): NotifiableEvent[] {
  return entries.flatMap((entry) => {
    const { organizationId, at, actor, sandbox } = entry;
    const said = inEachLanguage((language) => {
      const rule = rules[entry.action] as NotificationRule<LoggedEntry> | undefined;
      const notices = rule?.(entry, language) ?? [];
      if (!sandbox) return notices;
      return notices.map((notice) => ({ ...notice, title: markedAsSandbox(notice.title, language) }));
    });
    return said[ENGLISH].map(({ title: _title, message: _message, ...notice }, index) => {
      const texts = Object.fromEntries(
        Object.entries(said).map(([tag, notices]) => {
          const { title, message } = notices[index]!;
          return [tag, { title, message }];
        }),
      ) as NotifiableEvent['texts'];
      return { organizationId, at, except: actor.userId, ...notice, texts };
    });
  });
}

type InEachLanguage<Value> = Readonly<Record<typeof ENGLISH, Value>> & Readonly<Record<string, Value>>;

/** Texts by language tag. */
export function inEachLanguage<Value>(make: (language: Language) => Value): InEachLanguage<Value> {
  return Object.fromEntries(LANGUAGES.map((tag) => [tag, make(languageOf(tag))])) as InEachLanguage<Value>;
}

/** The texts of a notification in a language. */
export function said(language: Language, what: NoticeName, values: Readonly<Record<string, string | number>>) {
  return {
    title: language.text(`notice.${what}.title`, values),
    message: language.text(`notice.${what}.message`, values),
  };
}

/** The value of a field after what the entry records. */
export function after({ changes }: LoggedEntry, field: string): unknown {
  return changes.find((change) => change.field === field)?.after;
}

/** The value of a field before it. */
export function before({ changes }: LoggedEntry, field: string): unknown {
  return changes.find((change) => change.field === field)?.before;
}

export function actorName({ actor }: LoggedEntry, language: Language): string {
  return actor.user?.username ?? erased(language);
}

/** The name of the subject of the entry. */
export function subjectName({ subject }: LoggedEntry, language: Language): string {
  return subject.name ?? erased(language);
}

/** Replaces the name of a person who was erased before the entry was read. */
const erased = (language: Language) => language.text('notice.formerUser');

const m = table('membership', 'm');
const own = table('membership', 'own');
const u = table('app_user', 'u');

/** The columns of `event` in `recipientsOf`. */
const EVENT = sql`n int, organization_id bigint, type text, texts jsonb, action text, href text, icon text,
  at timestamptz, roles text[], users uuid[], alerts text, except_user uuid,
  urgent_roles text[], deadline boolean`;

/**
 * The text of an event for user `u`, in the language of the user or else of the organization; in English where it has
 * none.
 */
export const textOfEvent = (part: 'title' | 'message'): Expression =>
  sql`coalesce(event.texts -> ${readingLanguage(u.language, sql.ref('event.organization_id'))}, event.texts -> ${sql.lit(ENGLISH)}) ->> ${sql.lit(part)}`;

/**
 * Pairs of members `m`, who are persons with a user `u`, and events (`eventRows`), selected by role and alert
 * preferences. `offset 0` makes the planner read members by organization: it expects a hundred events and would read
 * all memberships.
 */
export function recipientsOf(p: Placeholders<{ events: string }>): Expression {
  return sql`
      from jsonb_to_recordset(${p('events')}::jsonb) as event(${EVENT})
     cross join lateral (select * from ${own.table} where ${own.organization_id} = event.organization_id
                           and ${own.deactivated_at} is null offset 0) as m
      join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null and ${u.kind} = 'PERSON'
     where (${m.role} = any(event.roles) or ${m.user_id} = any(event.users)) and event.except_user is distinct from ${m.user_id}
       and case event.alerts when 'atb' then ${m.alert_atb} when 'cloud_defender' then ${m.alert_cloud_defender}
                         when 'v_ciso' then ${m.alert_v_ciso} else true end`;
}

const insert = statement<{ events: string }>()(
  (p) => sql`
    ${insertSelect('notification', {
      user_id: m.user_id,
      organization_id: sql.ref('event.organization_id'),
      type: sql.ref('event.type'),
      title: textOfEvent('title'),
      message: textOfEvent('message'),
      action: sql.ref('event.action'),
      href: sql.ref('event.href'),
      icon: sql.ref('event.icon'),
      created_at: sql.ref('event.at'),
    })}
     ${recipientsOf(p)}
     order by event.n`,
);

/** Inserts one notification of each event for each member selected by role and alert preferences, in one statement. */
export async function notify(tx: Queryable, events: readonly NotifiableEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insert.all(tx, { events: eventRows(events) });
}

/** The events as JSON, for `recipientsOf`. */
export function eventRows(events: readonly NotifiableEvent[]): string {
  const rows = events.map(({ organizationId, href = '', to, except, urgentFrom, ...event }, n) => ({
    ...{ n, organization_id: organizationId, href, except_user: except },
    action: href === '' ? 'NONE' : 'OPEN',
    icon: NOTIFICATION_ICONS[event.type],
    urgent_roles: urgentFrom === undefined ? [] : rolesFrom(urgentFrom),
    ...event,
    roles: 'privilege' in to ? rolesWith(to.privilege) : [],
    users: to.users ?? [],
  }));
  return JSON.stringify(rows);
}

/** Class names of Font Awesome's free set, as the specification's example of `icon` has them. */
export const NOTIFICATION_ICONS: Readonly<Record<NotificationType, string>> = {
  INCIDENT: 'fa fa-exclamation-triangle',
  DOCUMENT: 'fa fa-file',
  DEVICE: 'fa fa-shield',
  WORKFLOW: 'fa fa-tasks',
  MEMBER: 'fa fa-user',
  TOKEN: 'fa fa-key',
  SYSTEM: 'fa fa-info-circle',
};
