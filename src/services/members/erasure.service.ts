import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { holdUserAlone } from '../../database/holds.js';
import { db, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { conflict, found, inputError, invalidInput, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import { LONG_AGO } from '../../mail/mail-outbox.js';
import { deleteMailFiles } from '../../mail/mailer.js';
import { PersonalValue } from '../audit/personal-values.js';
import { recordEngagement, recordMember, recordUser } from '../audit/subjects.js';
import { lockConsumer } from '../audit/consumer.js';
import { recordInvitation } from './invite.service.js';
import { keepAnOwner } from './members.service.js';
import { disableWebhooksOf, lockWebhooks, removeWebhooksOf } from '../webhooks/endpoint-records.js';
import { recordReleased, releaseControls } from '../workflows/released-controls.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { releaseServiceAccounts } from './service-accounts.service.js';
import { namePattern } from '../shared/text-search.js';
import type { OrganizationTable } from '../shared/organization-columns.js';

/** Locks the person: what others make for it meanwhile is there by then, or waits and finds it erased. */
const lockPerson = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['username', 'email', 'version'])
    .where('id', '=', p('userId'))
    .where('kind', '=', 'PERSON')
    .where('personal_key', 'is not', null)
    .forUpdate(),
);

/** Locks the organizations in their order, as `lockMembers` does for one. */
const membershipsOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.deleted_at as deletedAt'])
    .where('m.user_id', '=', p('userId'))
    .orderBy('o.id')
    .forNoKeyUpdate('o'),
);

const i = table('incident', 'i');
const r = table('incident_report', 'r');
const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');

/** Trails of organizations that name the user as a member or as an actor: also of those that the user has left. */
export const trailsWith = statement<{ userId: string; member: string }>()(
  (p) => sql<{ id: number; organizationId: number }>`
    select ${l.id}, ${l.organization_id} as "organizationId" from ${l.table}
     where ${l.organization_id} is not null
       and (exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.subject} = ${p('member')})
         or exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.actor} = ${p('userId')}))
     order by ${l.organization_id}`,
);

/** Organizations whose trail was pruned: of who has left them long ago it does not tell any more. */
const prunedTrails = statement()(
  () => sql<{ organizationId: number }>`
    select ${l.organization_id} as "organizationId" from ${l.table}
     where ${l.organization_id} is not null
       and exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.action} = 'AUDIT_TRAIL_PRUNED')`,
);

/** Engagements that the user is an auditor of, and no member of their organizations. */
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

/** All that is the person's alone: links to recover by, identities at providers and the remains of a sign-in; tokens are locked. */
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

/** Erases users: what names the person goes, and what the person did stays under a pseudonym (docs/privacy.md). */
export class ErasureService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'config' | 'log' | 'now'>) {}

  /**
   * Erases the caller, who names itself as confirmation. Throws UNAUTHENTICATED, FORBIDDEN without the scope `write`,
   * BAD_USER_INPUT for another name, CONFLICT for the last owner of an organization, and PRECONDITION_FAILED for another
   * version of its names.
   */
  async eraseCaller(caller: Caller, { username, version }: { username: string; version?: number | null }) {
    const { database, access, catalogs, config, log, now } = this.deps;
    const user = access.authorizeOwn(caller, 'write');
    const { userId } = user;
    if (username !== user.username) throw invalidInput([inputError('username', 'must be your own user name')]);
    // It holds the user alone, and not beside others.
    const { mails, organizationIds, ...erasure } = await database.request.holdingUser(undefined, () =>
      database.transaction((tx) => eraseUser(tx, catalogs, user, { userId, at: now(), version })),
    );
    // This instance need not wait for the database to announce it.
    for (const id of organizationIds) access.cache.announced(`m:${userId}:${id}`);
    access.cache.announced(`u:${userId}`);
    const deleteFiles = () =>
      deleteMailFiles(config, mails).catch((err: unknown) => log.error({ err }, 'files of mails were not deleted'));
    await database.request.afterwards((committed) => (committed ? deleteFiles() : undefined));
    return erasure;
  }
}

/** Erases a user without authorizing. Throws NOT_FOUND for one who was erased, CONFLICT for a last owner, and for another version. */
export async function eraseUser(
  tx: Queryable,
  catalogs: Pick<OrganizationCatalogs, 'ofMany'>,
  actor: Actor,
  { userId, at, version: expected }: { userId: string; at: Date; version?: number | null },
) {
  await holdUserAlone(tx, userId);
  // No notification or mail that names the person is being made meanwhile.
  for (const consumer of ['notifications', 'mails']) await lockConsumer(tx, consumer);
  const pseudonym = pseudonymOf(userId);
  const traces = await trailsWith.all(tx, { userId, member: `MEMBER/${userId}` });
  const organizations = await membershipsOf.all(tx, { userId });
  const organizationIds = organizations.map(({ id }) => id);
  const released = await releaseControls(tx, { userId, organizationIds, at });
  // As they are by now: the locks may have been waited for.
  const memberships = await endMemberships.all(tx, { userId, ids: organizationIds });
  // What others lock before a trail is locked here as well before anything is recorded, and the person last.
  for (const each of FORGOTTEN) await each.all(tx, { userId });
  await lockWebhooks(tx, organizationIds, userId);
  await audited.all(tx, { userId });
  const { version, ...person } = found(await lockPerson.first(tx, { userId }));
  requireVersion({ version }, expected);
  // Again: some may have been made until now.
  for (const each of FORGOTTEN) await each.all(tx, { userId });
  const engagements = await audited.all(tx, { userId });
  const elsewhere = [...traces, ...engagements];
  const known = new Set([...organizationIds, ...elsewhere.map(({ organizationId }) => organizationId)]);
  const pseudonymEmail = `${pseudonym}@erased.invalid`;
  const replaced = valuesOf({ ...person, userId, pseudonym, pseudonymEmail, at, organizationIds: [...known] });
  for (const { organizationId } of await prunedTrails.all(tx)) known.add(organizationId);
  for (const each of AUTHORS) await each.all(tx, { ...replaced, organizationIds: [...known] });
  const deleted = new Set(organizations.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id));
  const owned = memberships.filter(({ id, role }) => role === 'ORGANIZATION_OWNER' && !deleted.has(id));
  for (const { id } of owned.toSorted((one, other) => one.id - other.id)) await keepAnOwner(tx, id);
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
  // Joined another one meanwhile; the row of the user is locked by now.
  if ((await anyMembership.first(tx, { userId })) !== undefined) throw conflict('MEMBERSHIPS_CHANGED');
  return { userId, pseudonym, mails, organizationIds };
}

/** A person before and after. */
interface Replaced {
  userId: string;
  username: string;
  email: string;
  pseudonym: string;
  pseudonymEmail: string;
  /** Organizations that the person belongs or belonged to: a name is replaced in no other. */
  organizationIds: readonly number[];
  at: Date;
}

type Values = Replaced & { usernamePattern: string; emailPattern: string; invitedInput: string };

const replacing = statement<Values>();

/** Replaces the user name in these columns of a table. */
function replaceAuthor<Name extends OrganizationTable>(name: Name, ...columns: (keyof Tables[Name] & string)[]) {
  return replacing((p) => {
    const renamed = columns.map(
      (column) =>
        sql`${sql.id(column)} = case ${sql.id(column)} when ${p('username')} then ${p('pseudonym')} else ${sql.id(column)} end`,
    );
    const isNamed = columns.map((column) => sql`${sql.id(column)} = ${p('username')}`);
    return sql`
      update ${sql.table(name)} set ${sql.join(renamed)}
       where organization_id = any(${p('organizationIds')}) and (${sql.join(isNamed, sql` or `)})`;
  });
}

/** Texts with both replaced: the address first, because it contains the name. */
const cleaned = (column: Expression, p: Placeholders<Values>) =>
  sql<string>`regexp_replace(regexp_replace(${column}, ${p('emailPattern')}, ${p('pseudonymEmail')}, 'g'), ${p('usernamePattern')}, ${p('pseudonym')}, 'g')`;

/** Where a user name stands as an author: rows that others lock before a trail. */
const AUTHORS = [
  replaceAuthor('document_version', 'created_by'),
  replaceAuthor('incident', 'opened_by', 'closed_by'),
  // Who corrects a report says once more who has sent it, under the lock of the incident.
  replacing(
    (p) => sql`
      select ${i.id} from ${i.table}
       where ${i.organization_id} = any(${p('organizationIds')})
         and exists (select from ${r.table} where ${r.organization_id} = ${i.organization_id} and ${r.incident_id} = ${i.id}
                        and ${r.sent_by} = ${p('username')})
       order by ${i.id} for no key update`,
  ),
  replaceAuthor('incident_report', 'sent_by', 'recorded_by'),
  replaceAuthor('incident_attachment', 'created_by'),
  replaceAuthor('incident_note', 'created_by'),
  replaceAuthor('workflow_import', 'imported_by'),
  replaceAuthor('control_attestation', 'attested_by', 'countersigned_by', 'withdrawn_by'),
  replaceAuthor('evidence_request', 'created_by', 'answered_by'),
  replaceAuthor('sign_off', 'created_by'),
];

/** Everywhere else that a name or an address of a user is copied to (docs/privacy.md), in this order. */
const REPLACEMENTS = [
  replacing((p) => db.deleteFrom('engagement_auditor').where('user_id', '=', p('userId'))),
  replacing((p) =>
    db
      .updateTable('invitation')
      .set({ email: p('pseudonymEmail') })
      .where('email', '=', p('email')),
  ),
  replacing((p) =>
    db
      .deleteFrom('idempotent_answer')
      .where('token_id', 'in', ({ selectFrom }) =>
        selectFrom('api_token').select('id').where('user_id', '=', p('userId')),
      ),
  ),
  replacing((p) =>
    db
      .updateTable('api_token')
      .set(({ fn, ref }) => ({
        revoked_at: fn.coalesce(ref('revoked_at'), p('at')),
        name: p('pseudonym'),
        allowed_ips: sql`'{}'`,
        last_used_at: null,
      }))
      .where('user_id', '=', p('userId')),
  ),
  // Rows of imports that would invite the address; one that is being done is an invitation of a moment later.
  replacing((p) =>
    db
      .updateTable('import_row')
      .set({ outcome: sql`'NOT_DONE'`, input: null })
      .where('outcome', '=', 'WAITING')
      .where('import_job_id', 'in', ({ selectFrom }) =>
        selectFrom('import_job').select('id').where('kind', '=', 'INVITATIONS').where('ended_at', 'is', null),
      )
      .where(({ ref }) => sql<boolean>`starts_with(lower(${ref('input')}), ${p('invitedInput')})`),
  ),
  // What members read, and then what the person got: in the order in which inserts lock their revisions.
  replacing((p) =>
    db
      .updateTable('notification')
      .set(({ ref }) => ({
        title: cleaned(sql`${ref('title')}`, p),
        message: cleaned(sql`${ref('message')}`, p),
      }))
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where('user_id', '<>', p('userId'))
      .where(({ ref }) => sql<boolean>`position(${p('username')} in ${ref('title')} || ' ' || ${ref('message')}) > 0`),
  ),
  replacing((p) => db.deleteFrom('notification').where('user_id', '=', p('userId'))),
  replacing((p) => db.deleteFrom('notification_revision').where('user_id', '=', p('userId'))),
  replacing((p) =>
    db
      .updateTable('app_user')
      .set({
        username: p('pseudonym'),
        email: p('pseudonymEmail'),
        email_verified_at: null,
        first_name: '',
        last_name: '',
        language: null,
        deactivated_at: p('at'),
        personal_key: null,
      })
      .where('id', '=', p('userId')),
  ),
];

/** Those to the person, and those on their way that name it. An id alone stays, by which the nightly job finds files that are left. */
const deleteMails = replacing((p) =>
  db
    .with('gone', (eb) =>
      eb
        .deleteFrom('outgoing_mail')
        .where((eb) =>
          eb.or([
            // An organization may write the address of its contact in capitals.
            sql<boolean>`lower(${eb.ref('recipient')}) = ${p('email')}`,
            sql<boolean>`${eb.ref('content')}::text ~ ${p('emailPattern')}`,
          ]),
        )
        .returning('id'),
    )
    .insertInto('outgoing_mail')
    .columns(['id', 'recipient', 'state', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('gone')
        .select(['id', sql.lit('').as('recipient'), sql.lit('SENT').as('state'), LONG_AGO.as('created_at')]),
    )
    .returning('id'),
);

/** Replaces a person by its pseudonym wherever a name or an address stands. Returns the ids of mails that it deleted. */
async function replacePerson(tx: Queryable, values: Values): Promise<string[]> {
  for (const replacement of REPLACEMENTS) await replacement.all(tx, values);
  return (await deleteMails.all(tx, values)).map(({ id }) => id);
}

function valuesOf(person: Replaced): Values {
  const { username, email } = person;
  const patterns = { usernamePattern: namePattern(username), emailPattern: namePattern(email) };
  // As imports keep it: the address is the first field of the text.
  return { ...person, ...patterns, invitedInput: `{"email":${JSON.stringify(email)},` };
}

/** Name of an erased user. */
export function pseudonymOf(userId: string): string {
  return `erased-${userId.replaceAll('-', '').slice(0, 12)}`;
}
