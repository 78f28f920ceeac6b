import { randomInt, randomUUID } from 'node:crypto';
import type { Caller } from '../../auth/caller.js';
import { manages } from '../../auth/roles.js';
import { visibleText } from '../../common/visible-text.js';
import type { ListSelection } from '../../common/selection.js';
import { assign } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { filter, type Condition } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { person, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, notFound } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { InvitationStatus, Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { recordMember } from '../audit/subjects.js';
import { OrganizationLists } from '../shared/organization-records.js';
import { lockUser } from '../shared/present-users.js';
import { refuseMoreMembers, refuseMoreOrganizations } from '../shared/quotas.js';
import { digestOfSecret, holderOfSecret, issueToken } from '../tokens/token-minting.js';
import { ofMember } from './invite.service.js';
import { joinEngagement } from './join-engagement.js';
import { lockMembers, managingRole, nameOf } from './members.service.js';

export interface InvitationQuery extends ListQuery<'CREATED'> {
  status?: InvitationStatus | null;
}

/** An invitation, with the columns for authorization. */
export interface ManagedInvitation {
  id: number;
  organizationId: number;
  role: Role;
  status: InvitationStatus;
  mailsSent: number;
  acceptedAt: string | null;
  closedAt: string | null;
  expiresAt: string;
  isMember: boolean;
  /** The end of its engagement. */
  until: string | null;
}

const i = table('invitation', 'i');
const e = table('engagement', 'e');
const u = table('app_user', 'u');

const FROM = sql`${i.table} left join ${u.table} on ${u.id} = ${i.invited_by_id}`;

const listing = new Listing<InvitationQuery>({
  from: FROM,
  ...orderedByKey(i.id, 'CREATED', 'DESC'),
  parent: { column: i.organization_id, type: 'bigint' },
});

const projection = new Projection(
  'Invitation',
  {
    ...properties(i, 'id', 'email', 'role', 'engagement_id', 'version'),
    cursor: listing.place,
    status: { needs: {} },
    invitedBy: person(u.username),
    mailsSent: sql`cardinality(${i.sent_at})`,
    engagement: { needs: properties(i, 'engagement_id') },
    viewerCan: {
      needs: {
        isMember: ofMember(i.organization_id, i.email),
        until: sql`(select ${e.until} from ${e.table} where ${e.organization_id} = ${i.organization_id} and ${e.id} = ${i.engagement_id})`,
      },
    },
    ...properties(i, 'created_at', 'expires_at', 'accepted_at', 'closed_at', 'organization_id'),
  },
  // Columns of the status and the permissions.
  ['id', 'organizationId', 'role', 'mailsSent', 'acceptedAt', 'closedAt', 'expiresAt'],
);

/** Conditions on the status at a moment; one closed after its expiry is expired. */
const STATUSES: Readonly<Record<InvitationStatus, (values: { now: Date }) => Condition>> = {
  ACCEPTED: filter(() => sql`${i.accepted_at} is not null`),
  CANCELLED: filter(() => sql`${i.accepted_at} is null and ${i.closed_at} < ${i.expires_at}`),
  OPEN: filter((p) => sql`${i.accepted_at} is null and ${i.closed_at} is null and ${i.expires_at} > ${p('now')}`),
  EXPIRED: filter(
    (p) => sql`${i.accepted_at} is null
      and (${i.closed_at} >= ${i.expires_at} or (${i.closed_at} is null and ${i.expires_at} <= ${p('now')}))`,
  ),
};

export interface AcceptInvitation {
  /** The secret of the newest mail; those of earlier mails are invalid. */
  secret: string;
  /** Names of a new user; those of an existing one are unchanged. */
  firstName?: string | null;
  lastName?: string | null;
}

/** Valid only while its sender could still send it, and until its engagement ends: a revoked right also revokes its invitations. */
const openBySecret = statement<{ digest: string; now: Date }>()((p) =>
  db
    .selectFrom('invitation as i')
    .innerJoin('organization as o', (join) =>
      join.onRef('o.id', '=', 'i.organization_id').on('o.deleted_at', 'is', null),
    )
    .leftJoin('app_user as u', (join) => join.onRef('u.id', '=', 'i.invited_by_id').on('u.deactivated_at', 'is', null))
    .leftJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'o.id').onRef('m.user_id', '=', 'u.id').on('m.deactivated_at', 'is', null),
    )
    .leftJoin('engagement as e', (join) =>
      join.onRef('e.organization_id', '=', 'o.id').onRef('e.id', '=', 'i.engagement_id'),
    )
    .select(['i.id', 'i.organization_id as organizationId', 'o.name as organizationName', 'i.email', 'i.role'])
    .select([
      'i.engagement_id as engagementId',
      'i.expires_at as expiresAt',
      'm.role as inviterRole',
      nameOf(u).as('inviter'),
    ])
    .where('i.digest', '=', p('digest'))
    .where('i.accepted_at', 'is', null)
    .where('i.closed_at', 'is', null)
    .where('i.expires_at', '>', p('now'))
    .where((eb) => eb.or([eb('e.id', 'is', null), eb('e.until', '>', p('now'))])),
);

type OpenInvitation = Awaited<ReturnType<typeof openBySecret.one>>;

export const addMember = statement<{ organizationId: number; userId: string; role: Role; createdAt: Date }>()((p) =>
  db
    .insertInto('membership')
    .values(assign('membership', p, ['organizationId', 'userId', 'role', 'createdAt']))
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('id'),
);

const accept = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('invitation')
    .set({ accepted_at: p('now') })
    .where('id', '=', p('id')),
);

const verifyEmail = statement<{ userId: string; now: Date }>()((p) =>
  db
    .updateTable('app_user')
    .set(({ fn, ref }) => ({ email_verified_at: fn.coalesce(ref('email_verified_at'), p('now')) }))
    .where('id', '=', p('userId')),
);

/** The user of an address, which is in lower case. */
const byEmail = statement<{ email: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id', 'username', 'personal_key as personalKey'])
    .select((eb) => [eb('deactivated_at', 'is', null).as('active'), sql<boolean>`false`.as('isNew')])
    .where('email', '=', p('email')),
);

type InvitedUser = Awaited<ReturnType<typeof byEmail.one>>;

const insertUser = statement<
  Record<'id' | 'username' | 'email' | 'firstName' | 'lastName', string> & { createdAt: Date }
>()((p) =>
  db
    .insertInto('app_user')
    .values(assign('app_user', p, ['id', 'username', 'email', 'firstName', 'lastName', 'createdAt']))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'username', 'personal_key as personalKey'])
    .returning([sql<boolean>`true`.as('active'), sql<boolean>`true`.as('isNew')]),
);

/** Invitations as seen by organizations, without their secrets, and by those with a secret. */
export class InvitationService extends OrganizationLists<ManagedInvitation, InvitationQuery> {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'config' | 'now'>) {
    const parents = { organizationId: i.organization_id };
    const spec = { from: FROM, id: i.id, parents, projection, privilege: 'LIST_INVITATIONS' } as const;
    super(deps.database, deps.access, spec, listing);
  }

  /** Invitations of each organization, newest first. Throws as `authorizeList`. */
  override ofOrganizations(
    caller: Caller,
    organizationIds: readonly number[],
    { page, status }: InvitationQuery,
    selection: ListSelection,
  ) {
    const conditions = status == null ? [] : [STATUSES[status]({ now: this.deps.now() })];
    return super.ofOrganizations(caller, organizationIds, { page, conditions }, selection);
  }

  /** Changes of `invite.service.ts` that this caller may make. */
  async permissions(caller: Caller, invitation: ManagedInvitation) {
    const { organizationId, role, mailsSent, acceptedAt, closedAt, isMember, until } = invitation;
    const isPending = acceptedAt === null && closedAt === null;
    const mayJoin = !isMember && (until === null || until > this.deps.now().toISOString());
    const actor = isPending ? await managingRole(this.deps.access, caller, organizationId) : undefined;
    const cancel = actor !== undefined && manages(actor, role);
    return { cancel, resend: cancel && mayJoin && mailsSent < LIMITS.invitation.mails };
  }

  /**
   * Open to anonymous callers with the secret; a caller with a token accepts for itself only. NOT_FOUND, without a
   * reason, for a secret that is malformed, unknown, replaced, used, expired, cancelled or not this caller's. CONFLICT
   * when the user is a member already, or a quota does not allow it.
   */
  async accept(caller: Caller, { secret, ...names }: AcceptInvitation) {
    const { access, database, now } = this.deps;
    const self = caller.kind === 'user' ? access.authorizeOwn(caller, 'write').userId : undefined;
    const digest = digestOfSecret('invitation', secret);
    const accept = async (tx: Queryable) => {
      const { organizationId, email } = await this.bySecret(tx, digest);
      await lockMembers(tx, organizationId);
      const invited = await byEmail.first(tx, { email });
      if (invited !== undefined) await lockUser(tx, invited.id);
      // Again under the locks: of two concurrent calls, one finds it accepted, and an erasure cancels it.
      const invitation = await this.bySecret(tx, digest);
      const known = await byEmail.first(tx, invitation);
      if (self !== undefined && known?.id !== self) throw notFound();
      const user = known ?? (await newUser(tx, invitation.email, names, now()));
      if (!user.active) throw notFound();
      return this.join(tx, caller, invitation, user);
    };
    // An erasure in progress is waited for; the invitation is not found afterwards.
    const accepted = await database.request.withUserLock(undefined, () => database.transaction(accept));
    access.cache.announced(`m:${accepted.userId}:${accepted.organizationId}`);
    return accepted;
  }

  /**
   * Reads the invitation of a secret; it stays unchanged. Open to callers without a token, like `accept`. Every
   * secret that `accept` does not find is NOT_FOUND here as well.
   */
  async preview(secret: string) {
    const { expiresAt, ...invitation } = await this.bySecret(this.deps.database, digestOfSecret('invitation', secret));
    return { ...invitation, expiresAt: new Date(expiresAt) };
  }

  private async bySecret(tx: Queryable, digest: string) {
    const row = await openBySecret.first(tx, { digest, now: this.deps.now() });
    if (row === undefined || row.inviterRole === null || !manages(row.inviterRole, row.role)) throw notFound();
    return row;
  }

  private async join(tx: Queryable, caller: Caller, invitation: OpenInvitation, user: InvitedUser) {
    const { id, organizationId, engagementId, organizationName, email, role } = invitation;
    const { id: userId, username } = user;
    const now = this.deps.now();
    if (engagementId === null) await this.addMember(tx, { organizationId, userId, role, createdAt: now });
    await accept.all(tx, { id, now });
    await verifyEmail.all(tx, { userId, now });
    const facts = { userId, name: 'First token', scopes: ['read', 'write'], createdAt: now } as const;
    const first = user.isNew ? await issueToken(tx, facts) : null;
    const changes = { role: { after: role }, invitation: { after: id } };
    const member = { organizationId, userId, username };
    const actor = caller.kind === 'anonymous' ? holderOfSecret(caller, user) : caller;
    if (engagementId === null) await recordMember(tx, actor, member, { action: 'MEMBER_JOINED', at: now, changes });
    else await joinEngagement(tx, actor, { ...member, engagementId, email, invitationId: id, now });
    const shown = { token: first?.token ?? null, tokenExpiresAt: first?.expiresAt ?? null };
    return { ...{ organizationId, engagementId, organizationName, userId, username, email, role }, ...shown };
  }

  private async addMember(tx: Queryable, member: Parameters<typeof addMember.first>[1]): Promise<void> {
    const { quotas } = this.deps.config;
    const { organizationId, userId, role } = member;
    await refuseMoreMembers(tx, organizationId, quotas);
    if (role === 'ORGANIZATION_OWNER') await refuseMoreOrganizations(tx, userId, organizationId, quotas);
    if ((await addMember.first(tx, member)) === undefined) throw conflict('ALREADY_MEMBER');
  }

  protected override complete(rows: readonly ManagedInvitation[]): void {
    const now = this.deps.now().toISOString();
    for (const row of rows) row.status = statusOf(row, now);
  }
}

/** Instants as ISO 8601 in UTC, which compare as texts. One closed after its expiry is expired. */
function statusOf({ acceptedAt, closedAt, expiresAt }: ManagedInvitation, now: string): InvitationStatus {
  if (acceptedAt !== null) return 'ACCEPTED';
  if (closedAt !== null && closedAt < expiresAt) return 'CANCELLED';
  return closedAt !== null || expiresAt <= now ? 'EXPIRED' : 'OPEN';
}

/**
 * Creates a user. The user name is the local part of the address, with digits appended where it is taken. If another
 * request creates a user of this address at the same time, that one is returned.
 */
export async function newUser(
  tx: Queryable,
  email: string,
  { firstName, lastName }: Omit<AcceptInvitation, 'secret'>,
  createdAt: Date,
): Promise<InvitedUser> {
  const names = { firstName: shown(firstName), lastName: shown(lastName) };
  for (const username of usernamesOf(email)) {
    const row = await insertUser.first(tx, { id: randomUUID(), username, email, ...names, createdAt });
    const user = row ?? (await byEmail.first(tx, { email }));
    if (user !== undefined) return user;
  }
  throw new Error('No user name is left');
}

function shown(name: string | null | undefined): string {
  return visibleText(name ?? '').trim();
}

/** Characters of a user name that `npm run bootstrap` accepts. */
const LONGEST = 64;

function* usernamesOf(email: string): Generator<string> {
  const base = email.slice(0, email.lastIndexOf('@')).replaceAll(/[^\p{L}\p{N}._+-]/gu, '') || 'user';
  yield base.slice(0, LONGEST);
  for (let digits = 2; digits <= 9; digits += 1) {
    const behind = `-${String(randomInt(10 ** digits)).padStart(digits, '0')}`;
    yield base.slice(0, LONGEST - behind.length) + behind;
  }
}
