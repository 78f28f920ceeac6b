import type { Access } from '../../auth/access.js';
import type { Actor, Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, inputError, invalidInput, notFound } from '../../errors.js';
import { recordMember, recordUser } from '../audit/subjects.js';
import { lockConsumer } from '../audit/consumer.js';
import { pseudonymOf, replacePerson } from './erased-values.js';
import { recordInvitation } from './invite.service.js';
import { keepAnOwner } from './ownership.js';

/** What is left of a user. */
export interface Erasure {
  userId: string;
  /** The user name from now on. */
  pseudonym: string;
}

const personOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['username', 'email'])
    .where('id', '=', p('userId'))
    .where('personal_key', 'is not', null),
);

/** Locks the organizations in their order, as `lockMembers` does for one. */
const membershipsOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'm.role', 'o.deleted_at as deletedAt'])
    .where('m.user_id', '=', p('userId'))
    .orderBy('o.id')
    .forNoKeyUpdate('o'),
);

const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');

/** Trails of organizations that name the user as a member or as an actor: also of those that the user has left. */
export const trailsWith = statement<{ userId: string; member: string }>()((p) =>
  db
    .selectFrom('audit_log as l')
    .select(['l.id', sql<number>`${l.organization_id}`.as('organizationId')])
    .where('l.organization_id', 'is not', null)
    .where((eb) => {
      const entries = eb
        .selectFrom('audit_entry as e')
        .select(sql`1`.as('one'))
        .whereRef('e.log_id', '=', 'l.id');
      return eb.or([
        eb.exists(entries.where(sql<boolean>`${e.subject} = ${p('member')}`)),
        eb.exists(entries.where(sql<boolean>`${e.actor} = ${p('userId')}`)),
      ]);
    })
    .orderBy('l.organization_id'),
);

const endMemberships = statement<{ userId: string; ids: readonly number[] }>()((p) =>
  db
    .deleteFrom('membership')
    .where('user_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('ids'))),
);

const anyMembership = statement<{ userId: string }>()((p) =>
  db.selectFrom('membership').select('id').where('user_id', '=', p('userId')).limit(1),
);

const cancelInvitations = statement<{ email: string; at: Date }>()((p) =>
  db
    .updateTable('invitation')
    .set({ closed_at: p('at') })
    .where('email', '=', p('email'))
    .where('accepted_at', 'is', null)
    .where('closed_at', 'is', null)
    .returning(['id', 'organization_id as organizationId']),
);

/** Erases users: what names the person goes, and what the person did stays under a pseudonym (docs/privacy.md). */
export class ErasureService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: { now: () => Date; deleteFiles(this: void, mailIds: readonly string[]): Promise<void> },
  ) {}

  /**
   * Erases the caller, who names itself as confirmation. Throws UNAUTHENTICATED, FORBIDDEN without the scope `write`,
   * BAD_USER_INPUT for another name, and CONFLICT for the last owner of an organization.
   */
  async eraseCaller(caller: Caller, username: string): Promise<Erasure> {
    const user = this.access.authorizeSelf(caller, 'write');
    const { userId } = user;
    if (username !== user.username) throw invalidInput([inputError('username', 'must be your own user name')]);
    const { mails, organizationIds, ...erasure } = await this.database.transaction((tx) =>
      eraseUser(tx, user, userId, this.deps.now()),
    );
    // This instance need not wait for the database to announce it.
    for (const id of organizationIds) this.access.cache.announced(`m:${userId}:${id}`);
    this.access.cache.announced(`u:${userId}`);
    await this.database.afterwards((committed) => (committed ? this.deps.deleteFiles(mails) : undefined));
    return erasure;
  }
}

/** Erases a user without authorizing. Throws NOT_FOUND for one who was erased, and CONFLICT for a last owner. */
export async function eraseUser(
  tx: Queryable,
  actor: Actor,
  userId: string,
  at: Date,
): Promise<Erasure & { mails: string[]; organizationIds: number[] }> {
  // No notification or mail that names the person is being made meanwhile.
  for (const consumer of ['notifications', 'mails']) await lockConsumer(tx, consumer);
  const person = await personOf.first(tx, { userId });
  if (person === undefined) throw notFound();
  const pseudonym = pseudonymOf(userId);
  const traces = await trailsWith.all(tx, { userId, member: `MEMBER/${userId}` });
  const memberships = await membershipsOf.all(tx, { userId });
  const organizationIds = memberships.map(({ id }) => id);
  await endMemberships.all(tx, { userId, ids: organizationIds });
  const present = memberships.filter(({ deletedAt }) => deletedAt === null);
  for (const { id, role } of present) if (role === 'ORGANIZATION_OWNER') await keepAnOwner(tx, id);
  const roles = new Map(memberships.map(({ id, role }) => [id, role]));
  const invitations = await cancelInvitations.all(tx, { email: person.email, at });
  const invited = new Map(invitations.map((invitation) => [invitation.organizationId, invitation]));
  for (const organizationId of [...new Set([...roles.keys(), ...invited.keys()])].toSorted(
    (one, other) => one - other,
  )) {
    const invitation = invited.get(organizationId);
    if (invitation !== undefined)
      await recordInvitation(tx, actor, { ...invitation, ...person }, { action: 'INVITATION_CANCELLED', at });
    const role = roles.get(organizationId);
    if (role === undefined) continue;
    const action = actor.kind === 'user' ? 'MEMBER_LEFT' : 'MEMBER_REMOVED';
    const changes = { role: { before: role }, erased: { after: true } };
    await recordMember(tx, actor, { organizationId, userId, ...person }, { action, at, changes });
  }
  await recordUser(tx, actor, { userId, ...person }, { action: 'USER_ERASED', at });
  const known = new Set([...organizationIds, ...traces.map(({ organizationId }) => organizationId)]);
  const pseudonymEmail = `${pseudonym}@erased.invalid`;
  const mails = await replacePerson(tx, {
    ...{ ...person, userId, pseudonym, pseudonymEmail, at },
    organizationIds: [...known],
  });
  // Joined another one meanwhile; the row of the user is locked by now.
  if ((await anyMembership.first(tx, { userId })) !== undefined) throw conflict();
  return { userId, pseudonym, mails, organizationIds };
}
