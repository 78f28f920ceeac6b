import type { Access } from '../../auth/access.js';
import type { Actor, Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { MailPreferences } from '../../entities/members.js';
import { notFound, requireVersion } from '../../errors.js';
import { MAIL_DELIVERY_DEFAULT, NOTIFICATION_TYPES, type NotificationType } from '../../values/enums.js';
import { changesBetween } from '../audit/record.js';
import { recordMember } from '../audit/subjects.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import type { MailCategory, Unsubscription } from '../shared/unsubscribe-links.js';
import { deferUnread } from './deferred-notifications.js';

/** A change of preferences: those that are absent or null remain unchanged. */
type MailPreferencesChange = { [Category in MailCategory]?: MailPreferences[Category] | null };

type VersionedPreferences = MailPreferences & { version: number };

const DEFAULTS = Object.fromEntries(
  NOTIFICATION_TYPES.map((type) => [categoryOf(type), MAIL_DELIVERY_DEFAULT]),
) as MailPreferences;

/** The category of a notification type among the preferences. */
export function categoryOf(type: NotificationType): MailCategory {
  return type.toLowerCase() as MailCategory;
}

const preferencesOf = statement<{ userId: string; organizationIds: readonly number[] }>()((p) =>
  db
    .selectFrom('membership')
    .select(['organization_id as id', 'mail_preferences as preferences', 'mail_preferences_version as version'])
    .where('user_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds'))),
);

const u = table('app_user', 'u');

const lockMember = statement<{ userId: string | null; email: string | null; organizationId: number }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.id as userId', 'u.username', 'm.mail_preferences as preferences'])
    .select('m.mail_preferences_version as version')
    .where('m.organization_id', '=', p('organizationId'))
    .where(sql<boolean>`(${u.id} = ${p('userId')}::uuid or ${u.email} = ${p('email')}::text)`)
    .forNoKeyUpdate('m'),
);

const write = statement<{ userId: string; organizationId: number; preferences: string }>()((p) =>
  db
    .updateTable('membership')
    .set({ mail_preferences: p('preferences') })
    .where('organization_id', '=', p('organizationId'))
    .where('user_id', '=', p('userId'))
    .returning('mail_preferences_version as version'),
);

/** Mail preferences of members for notifications (docs/adr/0014). */
export class MailPreferenceService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly now: () => Date,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN where the caller may not read the organization. */
  async authorizeRead(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
  }

  async ofCaller(caller: Caller, organizationIds: readonly number[]): Promise<Map<number, VersionedPreferences>> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    const rows = await preferencesOf.all(this.database, { userId, organizationIds });
    return new Map(rows.map(({ id, preferences, version }) => [id, { ...DEFAULTS, ...preferences, version }]));
  }

  /**
   * The updated preferences, and their organization if selected. Throws NOT_FOUND where the caller is not a member,
   * and PRECONDITION_FAILED for another version.
   */
  async update(
    caller: Caller,
    { organizationId, version, ...change }: MailPreferencesChange & { organizationId: number; version?: number | null },
    selection: Selection,
  ) {
    await this.access.authorize(caller, 'SET_OWN_ALERTS', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const { userId } = user;
    const mailPreferences = await this.database.transaction((tx) =>
      this.change(tx, user, { organizationId, userId, email: null, version }, change),
    );
    if (mailPreferences === undefined) throw notFound();
    if (!selection.has('organization')) return { mailPreferences };
    const organization = selection.of('organization');
    return {
      mailPreferences,
      organization: await this.organizations.byId(this.database, organizationId, organization),
    };
  }

  /** Unsubscribes from mails of some categories, by the link in a mail. Idempotent. */
  async stop({ organizationId, email }: Unsubscription, categories: readonly MailCategory[]): Promise<void> {
    const change = Object.fromEntries(categories.map((category) => [category, 'NEVER']));
    await this.database.transaction((tx) =>
      this.change(tx, { kind: 'system', name: 'unsubscribe' }, { organizationId, userId: null, email }, change),
    );
  }

  /** Undefined without such a member. */
  private async change(
    tx: Queryable,
    actor: Actor,
    {
      version,
      ...key
    }: { organizationId: number; userId: string | null; email: string | null; version?: number | null },
    change: MailPreferencesChange,
  ): Promise<VersionedPreferences | undefined> {
    const { organizationId } = key;
    const member = await lockMember.first(tx, key);
    if (member === undefined) return undefined;
    requireVersion(member, version);
    const before = { ...DEFAULTS, ...member.preferences };
    const given = Object.fromEntries(Object.entries(change).filter(([, delivery]) => delivery !== null));
    const after: MailPreferences = { ...before, ...given };
    const changes = changesBetween({ mailPreferences: before }, { mailPreferences: after });
    if (Object.keys(changes).length === 0) return { ...after, version: member.version };
    const { userId } = member;
    const chosen = { ...member.preferences, ...given };
    const written = await write.one(tx, { organizationId, userId, preferences: JSON.stringify(chosen) });
    const at = this.now();
    const types = NOTIFICATION_TYPES.filter((type) => {
      return before[categoryOf(type)] === 'DAILY' && after[categoryOf(type)] === 'IMMEDIATELY';
    });
    // Neither the next daily mail nor immediate mails would include earlier notifications.
    if (types.length > 0) await deferUnread.all(tx, { userId, organizationId, types, now: at });
    const facts = { action: 'MEMBER_UPDATED', at, changes, state: { mailPreferences: chosen } } as const;
    await recordMember(tx, actor, { ...member, organizationId }, facts);
    return { ...after, version: written.version };
  }
}
