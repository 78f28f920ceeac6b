import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import { assign } from '../../database/columns.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { found, notFound, requireVersion, unauthenticated } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import { recordMember, recordUser } from '../audit/subjects.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween } from '../audit/record.js';
import type { TokenService } from '../tokens/tokens.service.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import { lockUser } from '../shared/present-users.js';

const u = table('app_user', 'u');

const one = projected<{ id: string }>()((p, { select }) =>
  db.selectFrom('app_user as u').select(select).where('u.id', '=', p('id')),
);

const projection = new Projection('User', {
  ...properties(u, 'id', 'kind', 'username', 'first_name', 'last_name', 'language', 'created_at', 'version'),
  email: sql`case ${u.kind} when 'PERSON' then ${u.email} else '' end`,
});

/** Change of a profile; absent values stay. */
export interface ProfileChange {
  firstName?: string | null;
  lastName?: string | null;
  /** Empty for none. */
  language?: string | null;
  /** The expected version; any version when null or absent. */
  version?: number | null;
}

/** Alert preferences of one member (specification 2.8). */
export interface Alerts {
  atb: boolean;
  cloudDefender: boolean;
  vCiso: boolean;
}

export interface AlertsChange extends Partial<{ [Product in keyof Alerts]: boolean | null }> {
  organizationId: number;
  /** The expected version; any version when null or absent. */
  version?: number | null;
}

const ALERTS = ['alert_atb as atb', 'alert_cloud_defender as cloudDefender', 'alert_v_ciso as vCiso'] as const;
const VERSION = 'alerts_version as version';

const names = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['first_name as firstName', 'last_name as lastName', 'language', 'version'])
    .where('id', '=', p('userId')),
);

const write = statement<{ userId: string; firstName: string; lastName: string; language: string | null }>()((p) =>
  db
    .updateTable('app_user')
    .set(assign('app_user', p, ['firstName', 'lastName', 'language']))
    .where('id', '=', p('userId')),
);

const alertsOf = statement<{ userId: string; organizationIds: readonly number[] }>()((p) =>
  db
    .selectFrom('membership')
    .select(['organization_id as id', ...ALERTS, VERSION])
    .where('user_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds'))),
);

/** The same with a lock. */
const lockAlerts = statement<{ organizationId: number; userId: string }>()((p) =>
  db
    .selectFrom('membership')
    .select([...ALERTS, VERSION])
    .where('organization_id', '=', p('organizationId'))
    .where('user_id', '=', p('userId'))
    .forNoKeyUpdate(),
);

const setAlerts = statement<Record<keyof Alerts, boolean | null> & { organizationId: number; userId: string }>()((p) =>
  db
    .updateTable('membership')
    .set(({ fn, ref }) => ({
      alert_atb: fn.coalesce(p('atb'), ref('alert_atb')),
      alert_cloud_defender: fn.coalesce(p('cloudDefender'), ref('alert_cloud_defender')),
      alert_v_ciso: fn.coalesce(p('vCiso'), ref('alert_v_ciso')),
    }))
    .where('organization_id', '=', p('organizationId'))
    .where('user_id', '=', p('userId'))
    .returning([...ALERTS, VERSION]),
);

/** The caller (specification 5), and each user's own settings: names, language and alerts. */
export class ProfileService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>,
    private readonly tokens: TokenService,
    private readonly organizations: OrganizationReader,
  ) {}

  /** The caller and the token of its request, each if selected. Throws UNAUTHENTICATED, or FORBIDDEN without `read`. */
  async viewer(caller: Caller, selection: Selection) {
    const { userId, tokenId } = this.deps.access.authorizeToken(caller, 'read');
    const [user, token] = await Promise.all([
      selection.has('user') ? this.user(userId, selection.of('user')) : undefined,
      selection.has('token') ? this.tokens.own(userId, tokenId, selection.of('token')) : undefined,
    ]);
    return { user, token };
  }

  /** The user of the caller by its id; NOT_FOUND for any other. */
  async own(caller: Caller, id: string, selection: Selection): Promise<object> {
    if (this.deps.access.authorizeToken(caller, 'read').userId !== id) throw notFound();
    return this.user(id, selection);
  }

  /** The user itself, without the scope `read`: for the answer to a write. */
  async user(id: string, selection: Selection): Promise<object> {
    return found(await one(projection.of(selection)).first(this.deps.database, { id }));
  }

  /**
   * Changes the caller's own names and language: absent is unchanged, null and the empty text remove. Throws FORBIDDEN
   * without the scope `write`, and PRECONDITION_FAILED for another version.
   */
  async update(
    caller: Caller,
    { firstName, lastName, language, version: expected }: ProfileChange,
    selection: Selection,
  ): Promise<object> {
    const user = this.deps.access.authorizeOwn(caller, 'write');
    const { userId } = user;
    const shown = (given: string | null | undefined) =>
      given === undefined ? undefined : visibleText(given ?? '').trim();
    await this.deps.database.transaction(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthenticated();
      const { version, language: read, ...before } = await names.one(tx, { userId });
      requireVersion({ version }, expected);
      const after = { firstName: shown(firstName) ?? before.firstName, lastName: shown(lastName) ?? before.lastName };
      const chosen = language === undefined ? read : language || null;
      await write.all(tx, { userId, ...after, language: chosen });
      const changes = {
        ...changesBetween(personal(userId, before), personal(userId, after)),
        ...changesBetween({ language: read }, { language: chosen }),
      };
      await recordUser(tx, user, user, { action: 'PROFILE_UPDATED', at: this.deps.now(), changes });
    });
    return this.user(userId, selection);
  }

  /** Throws NOT_FOUND or FORBIDDEN for a caller who may not read the organization. */
  async authorizeAlerts(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
  }

  async alerts(caller: Caller, organizationIds: readonly number[]) {
    const { userId } = this.deps.access.authorizeSelf(caller, 'read');
    const rows = await alertsOf.all(this.deps.database, { userId, organizationIds });
    return new Map(rows.map(({ id, ...alerts }) => [id, alerts]));
  }

  /**
   * The preferences, and their organization if selected. Throws NOT_FOUND where the caller is no member, and
   * PRECONDITION_FAILED for another version.
   */
  async updateAlerts(caller: Caller, { organizationId, version, ...change }: AlertsChange, selection: Selection) {
    const { access, database, now } = this.deps;
    await access.authorize(caller, 'SET_OWN_ALERTS', organizationId);
    const user = access.authorizeSelf(caller, 'write');
    const { userId, username } = user;
    const { atb = null, cloudDefender = null, vCiso = null } = change;
    const alerts = await database.transaction(async (tx) => {
      const before = found(await lockAlerts.first(tx, { organizationId, userId }));
      requireVersion(before, version);
      const written = await setAlerts.one(tx, { organizationId, userId, atb, cloudDefender, vCiso });
      const changes = changesBetween(before, written, ['atb', 'cloudDefender', 'vCiso']);
      const member = { organizationId, userId, username };
      await recordMember(tx, user, member, { action: 'MEMBER_UPDATED', at: now(), changes });
      return written;
    });
    if (!selection.has('organization')) return { alerts };
    const organization = await this.organizations.byId(database, organizationId, selection.of('organization'));
    return { alerts, organization };
  }
}

function personal(userId: string, names: Readonly<Record<string, string>>): Record<string, PersonalValue> {
  return Object.fromEntries(Object.entries(names).map(([field, name]) => [field, new PersonalValue(userId, name)]));
}
