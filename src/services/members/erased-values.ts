import type { Queryable } from '../../database/database.js';
import { db, sql, statement, type Expression, type Placeholders } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { namePattern } from '../shared/name-pattern.js';

/** A person before and after. */
export interface Replaced {
  userId: string;
  username: string;
  email: string;
  pseudonym: string;
  pseudonymEmail: string;
  /** Organizations that the person belongs or belonged to: a name is replaced in no other. */
  organizationIds: readonly number[];
  at: Date;
}

type Values = Replaced & { usernamePattern: string; emailPattern: string };

/** Tables that name who has done something in an organization. */
type Authored = {
  [Name in keyof Tables]: Tables[Name] extends { organization_id: unknown } ? Name : never;
}[keyof Tables];

/** Replaces the user name in these columns of a table. */
function replaceAuthor<Name extends Authored>(name: Name, ...columns: (keyof Tables[Name] & string)[]) {
  return statement<Values>()((p) => {
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

/** Everywhere that a name or an address of a user is copied to (docs/privacy.md), in this order. */
const REPLACEMENTS = [
  replaceAuthor('document_version', 'created_by'),
  replaceAuthor('incident', 'opened_by', 'closed_by'),
  replaceAuthor('incident_report', 'sent_by', 'recorded_by'),
  replaceAuthor('incident_attachment', 'created_by'),
  replaceAuthor('incident_note', 'created_by'),
  replaceAuthor('workflow_import', 'imported_by'),
  statement<Values>()((p) =>
    db
      .updateTable('invitation')
      .set({ email: p('pseudonymEmail') })
      .where('email', '=', p('email')),
  ),
  statement<Values>()((p) =>
    db
      .deleteFrom('token_recovery')
      .where((eb) => eb.or([eb('user_id', '=', p('userId')), eb('email', '=', p('email'))])),
  ),
  statement<Values>()((p) =>
    db
      .deleteFrom('idempotent_answer')
      .where('token_id', 'in', ({ selectFrom }) =>
        selectFrom('api_token').select('id').where('user_id', '=', p('userId')),
      ),
  ),
  statement<Values>()((p) =>
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
  // What members read, and then what the person got: in the order in which inserts lock their revisions.
  statement<Values>()((p) =>
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
  statement<Values>()((p) => db.deleteFrom('notification').where('user_id', '=', p('userId'))),
  statement<Values>()((p) => db.deleteFrom('notification_revision').where('user_id', '=', p('userId'))),
  statement<Values>()((p) =>
    db
      .updateTable('app_user')
      .set({
        username: p('pseudonym'),
        email: p('pseudonymEmail'),
        email_verified_at: null,
        first_name: '',
        last_name: '',
        deactivated_at: p('at'),
        personal_key: null,
      })
      .where('id', '=', p('userId')),
  ),
];

/** Those to the person, and those on their way that name it. */
const deleteMails = statement<Values>()((p) =>
  db
    .deleteFrom('outgoing_mail')
    .where((eb) =>
      eb.or([eb('recipient', '=', p('email')), sql<boolean>`${eb.ref('content')}::text ~ ${p('emailPattern')}`]),
    )
    .returning('id'),
);

/** Replaces a person by its pseudonym wherever a name or an address stands. Returns the ids of mails that it deleted. */
export async function replacePerson(tx: Queryable, person: Replaced): Promise<string[]> {
  const { username, email } = person;
  const values = { ...person, usernamePattern: namePattern(username), emailPattern: namePattern(email) };
  for (const replacement of REPLACEMENTS) await replacement.all(tx, values);
  return (await deleteMails.all(tx, values)).map(({ id }) => id);
}

/** What an erased user is called. */
export function pseudonymOf(userId: string): string {
  return `erased-${userId.replaceAll('-', '').slice(0, 12)}`;
}
