import type { Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { LONG_AGO } from '../../mail/mail-outbox.js';
import type { OrganizationTable } from '../shared/organization-columns.js';
import { namePattern } from '../shared/text-search.js';

const i = table('incident', 'i');
const r = table('incident_report', 'r');

/** A user's name and address, and their replacements. */
interface Replaced {
  userId: string;
  username: string;
  email: string;
  pseudonym: string;
  pseudonymEmail: string;
  /** Present and former organizations of the person: the name is replaced only in these. */
  organizationIds: readonly number[];
  at: Date;
}

/** An address and its replacement, of a person or of no user. */
type AddressValues = Pick<Replaced, 'email' | 'pseudonymEmail'> & { emailPattern: string; invitedInput: string };
type Values = Replaced & AddressValues & { usernamePattern: string };

const replacing = statement<Values>();
const replacingAddress = statement<AddressValues>();

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

/** Columns with a user name as an author: rows that other transactions lock before a trail. */
const AUTHORS = [
  replaceAuthor('document_version', 'created_by'),
  replaceAuthor('incident', 'opened_by', 'closed_by'),
  // A correction repeats the sender of the report, under the lock of the incident.
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

/** Notifications searched by one statement: all of a large organization take longer than a statement may. */
const LOOKED_THROUGH = 20_000;

/** Replaces the name in the next notifications of an organization: in messages, because titles name no one. */
const replaceInNotifications = statement<Values & { organizationId: number; after: number }>()((p) => {
  const [n, changed] = [table('notification', 'n'), table('notification', 'changed')];
  return sql<{ id: number }>`
    with looked as materialized (
      select ${n.id} from ${n.table}
       where ${n.organization_id} = ${p('organizationId')} and ${n.id} > ${p('after')}
       order by ${n.organization_id}, ${n.id} limit ${sql.lit(LOOKED_THROUGH)}),
    replaced as (
      update ${changed.table} set message = ${cleaned(changed.message, p)}
        from looked
       where ${changed.organization_id} = ${p('organizationId')} and ${changed.id} = looked.id and ${changed.user_id} <> ${p('userId')}
         and position(${p('username')} in ${changed.message}) > 0)
    select id from looked order by id offset ${sql.lit(LOOKED_THROUGH - 1)}`;
});

async function replaceInAllNotifications(tx: Queryable, values: Values): Promise<void> {
  for (const organizationId of values.organizationIds)
    for (let after: number | undefined = 0; after !== undefined;)
      after = (await replaceInNotifications.first(tx, { ...values, organizationId, after }))?.id;
}

const replaceInvited = replacingAddress((p) =>
  db
    .updateTable('invitation')
    .set({ email: p('pseudonymEmail') })
    .where('email', '=', p('email'))
    .returning('id'),
);

/** Rows of imports that would invite the address; one in progress is an invitation shortly after. */
const leaveRowsOfImports = replacingAddress((p) =>
  db
    .updateTable('import_row')
    .set({ outcome: sql`'NOT_DONE'`, input: null })
    .where('outcome', '=', 'WAITING')
    .where('import_job_id', 'in', ({ selectFrom }) =>
      selectFrom('import_job').select('id').where('kind', '=', 'INVITATIONS').where('ended_at', 'is', null),
    )
    .where(({ ref }) => sql<boolean>`starts_with(lower(${ref('input')}), ${p('invitedInput')})`)
    .returning('id'),
);

/** All other copies of a user's name or address (docs/privacy.md), in this order. */
const REPLACEMENTS = [
  replacing((p) => db.deleteFrom('engagement_auditor').where('user_id', '=', p('userId'))),
  replaceInvited,
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
  leaveRowsOfImports,
  // Members' notifications before the person's: inserts lock their revisions in this order.
  { all: replaceInAllNotifications },
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

/** Mails searched by one statement: failed ones have their content for 30 days, and searching it takes long. */
const MAILS_LOOKED_THROUGH = 10_000;

interface LookedMails {
  /** The last mail searched. */
  createdAt: string;
  id: string;
  gone: string[];
}

const FIRST_MAIL = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Mails to the person, and unsent ones that name it. The id remains, by which the nightly job finds remaining files. */
const deleteSomeMails = statement<AddressValues & { createdAt: string; after: string }>()((p) => {
  const m = table('outgoing_mail', 'm');
  // Contact addresses may be in capitals. Matching a text with the pattern takes several times as long as `position`.
  return sql<LookedMails>`
    with looked as materialized (
      select ${m.id}, ${m.created_at} from ${m.table} where (${m.created_at}, ${m.id}) > (${p('createdAt')}::timestamptz, ${p('after')}::uuid)
       order by ${m.created_at}, ${m.id} limit ${sql.lit(MAILS_LOOKED_THROUGH)}),
    gone as (
      delete from ${m.table} where ${m.id} = any(array(select id from looked))
         and (lower(${m.recipient}) = ${p('email')}
           or position(${p('email')} in ${m.content}::text) > 0 and ${m.content}::text ~ ${p('emailPattern')})
      returning ${m.id}),
    emptied as (${insertSelect('outgoing_mail', { id: sql`gone.id`, recipient: sql`''`, state: sql`'SENT'`, created_at: LONG_AGO })} from gone)
    select looked.created_at as "createdAt", looked.id, array(select gone.id from gone) as gone
      from looked order by looked.created_at desc, looked.id desc limit 1`;
});

async function deleteMails(tx: Queryable, values: AddressValues): Promise<string[]> {
  const gone: string[] = [];
  for (let last: Omit<LookedMails, 'gone'> = FIRST_MAIL; ;) {
    const looked = await deleteSomeMails.first(tx, { ...values, createdAt: last.createdAt, after: last.id });
    if (looked === undefined) return gone;
    gone.push(...looked.gone);
    last = looked;
  }
}

/** Replaces the user name of authors, before anything is recorded. */
export async function replaceAuthors(tx: Queryable, values: Values): Promise<void> {
  for (const replacement of AUTHORS) await replacement.all(tx, values);
}

/** Replaces a person by its pseudonym in all other places. Returns the ids of deleted mails. */
export async function replacePerson(tx: Queryable, values: Values): Promise<string[]> {
  for (const replacement of REPLACEMENTS) await replacement.all(tx, values);
  return deleteMails(tx, values);
}

/** Replaces an address that is no user's. Returns the number of rows with it, and the ids of deleted mails. */
export async function replaceAddress(
  tx: Queryable,
  address: Pick<Replaced, 'email' | 'pseudonymEmail'>,
): Promise<{ rows: number; mails: string[] }> {
  const values = addressValuesOf(address);
  const invited = await replaceInvited.all(tx, values);
  const left = await leaveRowsOfImports.all(tx, values);
  return { rows: invited.length + left.length, mails: await deleteMails(tx, values) };
}

export function valuesOf(person: Replaced): Values {
  return { ...person, ...addressValuesOf(person), usernamePattern: namePattern(person.username) };
}

function addressValuesOf({ email, pseudonymEmail }: Pick<Replaced, 'email' | 'pseudonymEmail'>): AddressValues {
  // As imports store it: the address is the first field of the text.
  const invitedInput = `{"email":${JSON.stringify(email)},`;
  return { email, pseudonymEmail, emailPattern: namePattern(email), invitedInput };
}

/** Name of an erased user. */
export function pseudonymOf(userId: string): string {
  return `erased-${userId.replaceAll('-', '').slice(0, 12)}`;
}
