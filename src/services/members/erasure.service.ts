import { randomUUID } from 'node:crypto';
import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { lockUserExclusive } from '../../database/change-locks.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, inputError, invalidInput, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import { deleteMailFiles } from '../../mail/mailer.js';
import { PersonalValue } from '../audit/personal-values.js';
import { recordEngagement, recordMember, recordUser } from '../audit/subjects.js';
import { lockConsumer } from '../audit/consumer.js';
import { recordInvitation } from './invite.service.js';
import { requireRemainingOwner } from './members.service.js';
import { disableWebhooksOf, lockWebhooks, removeWebhooksOf } from '../webhooks/endpoint-records.js';
import { recordReleased, releaseControls } from '../workflows/released-controls.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { releaseServiceAccounts } from './service-accounts.service.js';
import { pseudonymOf, replaceAddress, replaceAuthors, replacePerson, valuesOf } from './erased-names.js';

/** Locks the person: concurrent inserts of others are committed by then, or wait and find it erased. */
const lockPerson = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['username', 'email', 'version'])
    .where('id', '=', p('userId'))
    .where('kind', '=', 'PERSON')
    .where('personal_key', 'is not', null)
    .forUpdate(),
);

/** Locks the organizations in order, as `lockMembers` does for one. */
const membershipsOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.deleted_at as deletedAt'])
    .where('m.user_id', '=', p('userId'))
    .orderBy('o.id')
    .forNoKeyUpdate('o'),
);

const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');

/** Trails of organizations that name the user as a member or as an actor, including those that the user has left. */
export const trailsWith = statement<{ userId: string; member: string }>()(
  (p) => sql<{ id: number; organizationId: number }>`
    select ${l.id}, ${l.organization_id} as "organizationId" from ${l.table}
     where ${l.organization_id} is not null
       and (exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.subject} = ${p('member')})
         or exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.actor} = ${p('userId')}))
     order by ${l.organization_id}`,
);

/** Organizations with a pruned trail, which does not name former members any more. */
const prunedTrails = statement()(
  () => sql<{ organizationId: number }>`
    select ${l.organization_id} as "organizationId" from ${l.table}
     where ${l.organization_id} is not null
       and exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.action} = 'AUDIT_TRAIL_PRUNED')`,
);

/** Engagements of the user as an auditor, without memberships in their organizations. */
const audited = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('engagement_auditor as a')
    .innerJoin('engagement as e', 'e.id', 'a.engagement_id')
    .select(['e.id', 'e.name', 'e.organization_id as organizationId'])
    .where('a.user_id', '=', p('userId'))
    .orderBy('e.id')
    .forUpdate('a'),
);

const endMemberships = statement<{ userId: string; ids: readonly number[] }>()((p) =>
  db
    .deleteFrom('membership')
    .where('user_id', '=', p('userId'))
    .where('organization_id', '=', ({ fn }) => fn.any(p('ids')))
    .returning(['organization_id as id', 'role']),
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

/** Rows that belong to the person alone: recovery links, identities at providers, remains of sign-ins; tokens are locked. */
const FORGOTTEN = [
  statement<{ userId: string }>()((p) =>
    db
      .deleteFrom('token_recovery')
      .where((eb) =>
        eb.or([
          eb('user_id', '=', p('userId')),
          eb('email', '=', ({ selectFrom }) => selectFrom('app_user').select('email').where('id', '=', p('userId'))),
        ]),
      ),
  ),
  statement<{ userId: string }>()((p) => db.deleteFrom('sign_in_code').where('user_id', '=', p('userId'))),
  statement<{ userId: string }>()((p) => db.deleteFrom('user_identity').where('user_id', '=', p('userId'))),
  statement<{ userId: string }>()((p) =>
    db.selectFrom('api_token').select('id').where('user_id', '=', p('userId')).orderBy('id').forNoKeyUpdate(),
  ),
];

/** Erases users: personal data is deleted, and actions remain under a pseudonym (docs/privacy.md). */
export class ErasureService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'config' | 'log' | 'now'>) {}

  /**
   * Erases the caller, who confirms by its own name. Throws UNAUTHENTICATED, FORBIDDEN without the scope `write`,
   * BAD_USER_INPUT for another name, CONFLICT for the last owner of an organization, and PRECONDITION_FAILED for another
   * version of its names.
   */
  async eraseCaller(caller: Caller, { username, version }: { username: string; version?: number | null }) {
    const { database, access, catalogs, config, log, now } = this.deps;
    const user = access.authorizeOwn(caller, 'write');
    const { userId } = user;
    if (username !== user.username) throw invalidInput([inputError('username', 'must be your own user name')]);
    // It locks the user exclusively, while other changes share the lock.
    const { mails, organizationIds, ...erasure } = await database.request.withUserLock(undefined, () =>
      database.transaction((tx) => eraseUser(tx, catalogs, user, { userId, at: now(), version })),
    );
    // Invalidates this instance's cache without waiting for the database's notification.
    for (const id of organizationIds) access.cache.announced(`m:${userId}:${id}`);
    access.cache.announced(`u:${userId}`);
    const deleteFiles = () =>
      deleteMailFiles(config, mails).catch((err: unknown) => log.error({ err }, 'files of mails were not deleted'));
    await database.request.afterwards((committed) => (committed ? deleteFiles() : undefined));
    return erasure;
  }
}

/** Erases a user without authorizing. Throws NOT_FOUND for an erased one, CONFLICT for a last owner or another version. */
export async function eraseUser(
  tx: Queryable,
  catalogs: Pick<OrganizationCatalogs, 'ofMany'>,
  actor: Actor,
  { userId, at, version: expected }: { userId: string; at: Date; version?: number | null },
) {
  await lockUserExclusive(tx, userId);
  // No notification or mail that names the person is created in the meantime.
  for (const consumer of ['notifications', 'mails']) await lockConsumer(tx, consumer);
  const pseudonym = pseudonymOf(userId);
  const traces = await trailsWith.all(tx, { userId, member: `MEMBER/${userId}` });
  const organizations = await membershipsOf.all(tx, { userId });
  const organizationIds = organizations.map(({ id }) => id);
  const released = await releaseControls(tx, { userId, organizationIds, at });
  // Read again: the locks may have been waited for.
  const memberships = await endMemberships.all(tx, { userId, ids: organizationIds });
  // Rows that others lock before a trail are locked here before anything is recorded, and the person last.
  for (const each of FORGOTTEN) await each.all(tx, { userId });
  await lockWebhooks(tx, organizationIds, userId);
  await audited.all(tx, { userId });
  const { version, ...person } = found(await lockPerson.first(tx, { userId }));
  requireVersion({ version }, expected);
  // Again: some may have been created since.
  for (const each of FORGOTTEN) await each.all(tx, { userId });
  const engagements = await audited.all(tx, { userId });
  const elsewhere = [...traces, ...engagements];
  const known = new Set([...organizationIds, ...elsewhere.map(({ organizationId }) => organizationId)]);
  const pseudonymEmail = addressOf(pseudonym);
  const replaced = valuesOf({ ...person, userId, pseudonym, pseudonymEmail, at, organizationIds: [...known] });
  for (const { organizationId } of await prunedTrails.all(tx)) known.add(organizationId);
  await replaceAuthors(tx, { ...replaced, organizationIds: [...known] });
  const deleted = new Set(organizations.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id));
  const owned = memberships.filter(({ id, role }) => role === 'ORGANIZATION_OWNER' && !deleted.has(id));
  for (const { id } of owned.toSorted((one, other) => one.id - other.id)) await requireRemainingOwner(tx, id);
  const invitations = await cancelInvitations.all(tx, { email: person.email, at });
  const auditor = { before: new PersonalValue(userId, person.username) };
  const action = actor.kind === 'user' ? 'MEMBER_LEFT' : 'MEMBER_REMOVED';
  const records = [
    ...engagements.map((engagement) => ({
      organizationId: engagement.organizationId,
      write: () => recordEngagement(tx, actor, engagement, { action: 'AUDITOR_REMOVED', at, changes: { auditor } }),
    })),
    ...invitations.map((invitation) => ({
      organizationId: invitation.organizationId,
      write: () => recordInvitation(tx, actor, { ...invitation, ...person }, { action: 'INVITATION_CANCELLED', at }),
    })),
    ...memberships.map(({ id: organizationId, role }) => {
      const facts = { action, at, changes: { role: { before: role }, erased: { after: true } } } as const;
      const controls = released.filter((control) => control.organizationId === organizationId);
      const write = async () => {
        await recordReleased(tx, catalogs, actor, { userId, at, controls });
        await recordMember(tx, actor, { organizationId, userId, ...person }, facts);
        await releaseServiceAccounts(tx, actor, { organizationId, userId, at });
        await disableWebhooksOf(tx, actor, { organizationId, userId, at });
      };
      return { organizationId, write };
    }),
  ];
  for (const { write } of records.toSorted((one, other) => one.organizationId - other.organizationId)) await write();
  await removeWebhooksOf(tx, actor, userId, at);
  await recordUser(tx, actor, { userId, ...person }, { action: 'USER_ERASED', at });
  const mails = await replacePerson(tx, replaced);
  // Joined another one in the meantime; the user's row is locked by now.
  if ((await anyMembership.first(tx, { userId })) !== undefined) throw conflict('MEMBERSHIPS_CHANGED');
  return { userId, pseudonym, mails, organizationIds };
}

/** Erases an invited address that is no user's, without authorizing; undefined if nothing names it. */
export async function eraseAddress(tx: Queryable, actor: Actor, { email, at }: { email: string; at: Date }) {
  const pseudonym = pseudonymOf(randomUUID());
  const invitations = await cancelInvitations.all(tx, { email, at });
  for (const invitation of invitations.toSorted((one, other) => one.organizationId - other.organizationId))
    await recordInvitation(tx, actor, { ...invitation, email }, { action: 'INVITATION_CANCELLED', at });
  const { rows, mails } = await replaceAddress(tx, { email, pseudonymEmail: addressOf(pseudonym) });
  return rows === 0 && mails.length === 0 ? undefined : { pseudonym, mails };
}

function addressOf(pseudonym: string): string {
  return `${pseudonym}@erased.invalid`;
}
