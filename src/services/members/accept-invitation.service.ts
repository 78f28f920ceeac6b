import { randomInt, randomUUID } from 'node:crypto';
import type { Caller } from '../../auth/caller.js';
import { manages } from '../../auth/roles.js';
import { visibleText } from '../../common/visible-text.js';
import type { Config } from '../../config.js';
import { assign } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, notFound } from '../../errors.js';
import type { Foundation } from '../../infrastructure.js';
import type { Role } from '../../values/enums.js';
import { recordMember } from '../audit/subjects.js';
import { refuseMoreMembers, refuseMoreOrganizations } from '../shared/quotas.js';
import { digestOfSecret, holderOfSecret, issueToken } from '../tokens/token-minting.js';
import { lockMembers, nameOf } from './ownership.js';

export interface AcceptInvitation {
  /** Of the newest mail. */
  secret: string;
  /** Of a new user; one that exists keeps its own. */
  firstName?: string | null;
  lastName?: string | null;
}

const u = table('app_user', 'u');

/** Valid only while its sender could still send it: revoked rights do not live on in a mailbox. */
const find = statement<{ digest: string; now: Date }>()((p) =>
  db
    .selectFrom('invitation as i')
    .innerJoin('organization as o', (join) =>
      join.onRef('o.id', '=', 'i.organization_id').on('o.deleted_at', 'is', null),
    )
    .leftJoin('app_user as u', (join) => join.onRef('u.id', '=', 'i.invited_by_id').on('u.deactivated_at', 'is', null))
    .leftJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'o.id').onRef('m.user_id', '=', 'u.id').on('m.deactivated_at', 'is', null),
    )
    .select(['i.id', 'i.organization_id as organizationId', 'o.name as organization', 'i.email', 'i.role'])
    .select(['i.expires_at as expiresAt', 'm.role as inviterRole', nameOf(u).as('inviter')])
    .where('i.digest', '=', p('digest'))
    .where('i.accepted_at', 'is', null)
    .where('i.closed_at', 'is', null)
    .where('i.expires_at', '>', p('now')),
);

type Invitation = Awaited<ReturnType<typeof find.one>>;

const join = statement<{ organizationId: number; userId: string; role: Role; createdAt: Date }>()((p) =>
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

/** Exchanges the secret of an invitation for a membership and, for a new user, a first token. */
export class InvitationAcceptanceService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'> & { config: Pick<Config, 'quotas'> },
  ) {}

  /**
   * Open to anonymous callers with the secret; a caller with a token accepts for itself only. NOT_FOUND, without saying
   * why, for a secret that is malformed, unknown, replaced, used, expired, cancelled or not this caller's. CONFLICT
   * when the user is a member already, or a quota does not allow it.
   */
  async accept(caller: Caller, { secret, ...names }: AcceptInvitation) {
    const { access, database, now } = this.deps;
    const self = caller.kind === 'user' ? access.authorizeSelf(caller, 'write').userId : undefined;
    const digest = digestOfSecret('invitation', secret);
    const accepted = await database.transaction(async (tx) => {
      const { organizationId } = await this.find(tx, digest);
      await lockMembers(tx, organizationId);
      // Again under the lock: of two concurrent calls, one finds it accepted.
      const invitation = await this.find(tx, digest);
      const known = await byEmail.first(tx, invitation);
      if (self !== undefined && known?.id !== self) throw notFound();
      const user = known ?? (await newUser(tx, invitation.email, names, now()));
      if (!user.active) throw notFound();
      return this.join(tx, caller, invitation, user);
    });
    access.cache.announced(`m:${accepted.userId}:${accepted.organizationId}`);
    return accepted;
  }

  /**
   * What the invitation of this secret offers; it stays as it is. Open to callers without a token, like `accept`. Every
   * secret that `accept` does not find is NOT_FOUND here as well.
   */
  async preview(secret: string) {
    const { expiresAt, ...invitation } = await this.find(this.deps.database, digestOfSecret('invitation', secret));
    return { ...invitation, expiresAt: new Date(expiresAt) };
  }

  private async find(tx: Queryable, digest: string) {
    const row = await find.first(tx, { digest, now: this.deps.now() });
    if (row === undefined || row.inviterRole === null || !manages(row.inviterRole, row.role)) throw notFound();
    return row;
  }

  private async join(tx: Queryable, caller: Caller, invitation: Invitation, user: InvitedUser) {
    const { id, organizationId, organization, email, role } = invitation;
    const { id: userId, username } = user;
    const { quotas } = this.deps.config;
    const now = this.deps.now();
    await refuseMoreMembers(tx, organizationId, quotas);
    if (role === 'ORGANIZATION_OWNER') await refuseMoreOrganizations(tx, userId, quotas);
    const joined = await join.first(tx, { organizationId, userId, role, createdAt: now });
    if (joined === undefined) throw conflict();
    await accept.all(tx, { id, now });
    await verifyEmail.all(tx, { userId, now });
    const facts = { userId, name: 'First token', scopes: ['read', 'write'], createdAt: now } as const;
    const first = user.isNew ? await issueToken(tx, facts) : null;
    const changes = { role: { after: role }, invitation: { after: id } };
    const member = { organizationId, userId, username };
    const actor = caller.kind === 'anonymous' ? holderOfSecret(caller, user) : caller;
    await recordMember(tx, actor, member, { action: 'MEMBER_JOINED', at: now, changes });
    const shown = { token: first?.token ?? null, tokenExpiresAt: first?.expiresAt ?? null };
    return { ...{ organizationId, organization, userId, username, email, role }, ...shown };
  }
}

/**
 * Makes a user. The user name is the local part of the address, with digits behind it where it is taken. When another
 * request makes a user of this address at the same time, that one is returned.
 */
async function newUser(
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

/** What `npm run bootstrap` takes for a user name. */
const LONGEST = 64;

function* usernamesOf(email: string): Generator<string> {
  const base = email.slice(0, email.lastIndexOf('@')).replaceAll(/[^\p{L}\p{N}._+-]/gu, '') || 'user';
  yield base.slice(0, LONGEST);
  for (let digits = 2; digits <= 9; digits += 1) {
    const behind = `-${String(randomInt(10 ** digits)).padStart(digits, '0')}`;
    yield base.slice(0, LONGEST - behind.length) + behind;
  }
}
