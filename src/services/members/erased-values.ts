import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table, type Expression, type Placeholders } from '../../database/sql.js';
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

const i = table('incident', 'i');
const r = table('incident_report', 'r');
const isOld = (column: Expression, p: Placeholders<Values>) => sql<boolean>`${column} = ${p('username')}`;
const renamed = (column: Expression, p: Placeholders<Values>) =>
  sql<string>`case when ${column} = ${p('username')} then ${p('pseudonym')} else ${column} end`;

const AUTHORS_OF_INCIDENTS = ['opened_by', 'closed_by'] as const;
const AUTHORS_OF_REPORTS = ['sent_by', 'recorded_by'] as const;

/** Texts with both replaced: the address first, because it contains the name. */
const cleaned = (column: Expression, p: Placeholders<Values>) =>
  sql<string>`regexp_replace(regexp_replace(${column}, ${p('emailPattern')}, ${p('pseudonymEmail')}, 'g'), ${p('usernamePattern')}, ${p('pseudonym')}, 'g')`;

/** Everywhere that a name or an address of a user is copied to (docs/privacy.md), in this order. */
const REPLACEMENTS = [
  statement<Values>()((p) =>
    db
      .updateTable('document_version')
      .set({ created_by: p('pseudonym') })
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where('created_by', '=', p('username')),
  ),
  statement<Values>()((p) =>
    db
      .updateTable('incident as i')
      .set({
        opened_by: renamed(i.opened_by, p),
        closed_by: renamed(i.closed_by, p),
      })
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where((eb) => eb.or(AUTHORS_OF_INCIDENTS.map((column) => isOld(i[column], p)))),
  ),
  statement<Values>()((p) =>
    db
      .updateTable('incident_report as r')
      .set({ sent_by: renamed(r.sent_by, p), recorded_by: renamed(r.recorded_by, p) })
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where((eb) => eb.or(AUTHORS_OF_REPORTS.map((column) => isOld(r[column], p)))),
  ),
  statement<Values>()((p) =>
    db
      .updateTable('incident_attachment')
      .set({ created_by: p('pseudonym') })
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where('created_by', '=', p('username')),
  ),
  statement<Values>()((p) =>
    db
      .updateTable('incident_note')
      .set({ created_by: p('pseudonym') })
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where('created_by', '=', p('username')),
  ),
  statement<Values>()((p) =>
    db
      .updateTable('workflow_import')
      .set({ imported_by: p('pseudonym') })
      .where('organization_id', '=', ({ fn }) => fn.any(p('organizationIds')))
      .where('imported_by', '=', p('username')),
  ),
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
