import { Readable } from 'node:stream';
import type { Actor, Caller, Origin } from '../../auth/caller.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Queryable } from '../../database/database.js';
import { db, sql, statement, type Placeholders, type Statement } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { found, notFound } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import { entryRecords, type EntryRecord } from '../audit/entry-records.js';
import { userEvent } from '../audit/subjects.js';
import { entriesUpTo, headOf } from '../audit/trails.js';
import { SIGNED_ADDRESS } from '../files/downloads.service.js';
import { type AddressSignature } from '../files/download-links.js';
import { trailsWith } from './erasure.service.js';

/** Rows in memory at a time. */
const BATCH = 500;

interface Listed {
  userId: string;
  username: string;
  email: string;
  /** The id of the last row before these. */
  after: number | string;
}

type Rows = Statement<Listed, { id: number | string }>;

const profileOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id', 'username', 'email', 'email_verified_at', 'first_name', 'last_name', 'language', 'created_at'])
    .where('id', '=', p('userId'))
    .where('deactivated_at', 'is', null),
);

/** The rows of a section of the document, in batches. */
function rowsOf(build: (p: Placeholders<Listed>) => object): Rows {
  return statement<Listed>()(
    (p) => sql<{ id: number | string }>`
      select * from (${build(p)}) as listed where id > ${p('after')} order by id limit ${sql.lit(BATCH)}`,
  );
}

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;

/**
 * These columns, separated by a space, of the rows whose column `by` names the user: by its id if it ends with
 * `_id`, by its name where it ends with `_by`, else by its address.
 */
function columnsOf<Name extends keyof Tables & string, Text extends string>(
  name: Name,
  by: keyof Tables[Name] & string,
  columns: Words<Text> extends keyof Tables[Name] ? Text : never,
): Rows {
  const value = by.endsWith('_id') ? 'userId' : by.endsWith('_by') ? 'username' : 'email';
  const selected = columns.split(' ').map((column) => sql.id(column));
  return rowsOf((p) => sql`select ${sql.join(selected)} from ${sql.table(name)} where ${sql.id(by)} = ${p(value)}`);
}

const INVITATION = 'id organization_id role created_at expires_at accepted_at closed_at';

/**
 * Data about the user and its actions, by section name. Actions in organizations contain the user's own
 * input, ids and times: the rest belongs to the organizations (docs/privacy.md).
 */
const SECTIONS: Readonly<Record<string, Rows>> = {
  memberships: rowsOf((p) =>
    db
      .selectFrom('membership as m')
      .innerJoin('organization as o', 'o.id', 'm.organization_id')
      .select(['m.id', 'm.organization_id', 'o.name as organization', 'm.role', 'm.alert_atb'])
      .select(['m.alert_cloud_defender', 'm.alert_v_ciso', 'm.mail_preferences', 'm.created_at as joined_at'])
      .select('m.deactivated_at')
      .where('m.user_id', '=', p('userId')),
  ),
  tokens: columnsOf(
    'api_token',
    'user_id',
    'id name prefix origin provider_id provider_session scopes allowed_ips created_at expires_at last_used_at revoked_at replaced_at warned_at',
  ),
  identities: columnsOf('user_identity', 'user_id', 'id issuer subject created_at'),
  webhook_endpoints: columnsOf('webhook_endpoint', 'user_id', 'id url description format status created_at deleted_at'),
  notifications: columnsOf('notification', 'user_id', 'id organization_id type action icon href read created_at'),
  invitations_received: columnsOf('invitation', 'email', INVITATION),
  invitations_sent: columnsOf('invitation', 'invited_by_id', INVITATION),
  recoveries: columnsOf('token_recovery', 'user_id', 'id created_at expires_at used_at'),
  // Contact addresses may be in capitals.
  mails: rowsOf((p) =>
    db
      .selectFrom('outgoing_mail')
      .select(['id', 'state', 'created_at', 'sent_at'])
      .where(({ ref }) => sql<boolean>`lower(${ref('recipient')}) = ${p('email')}`),
  ),
  directories: rowsOf((p) =>
    db
      .selectFrom('scim_user as s')
      .innerJoin('membership as m', 'm.id', 's.membership_id')
      .select(['s.id', 's.organization_id', 's.user_name', 's.external_id', 's.given_name', 's.family_name'])
      .select(['s.display_name', 's.emails', 's.active', 's.created_at', 's.updated_at', 's.deleted_at'])
      .where('m.user_id', '=', p('userId')),
  ),
  service_accounts: rowsOf((p) =>
    db
      .selectFrom('service_account')
      .select(['user_id as id', 'organization_id', 'created_at'])
      .where('responsible_id', '=', p('userId'))
      .where('deleted_at', 'is', null),
  ),
  engagements: rowsOf((p) =>
    db
      .selectFrom('engagement_auditor as a')
      .innerJoin('engagement as e', 'e.id', 'a.engagement_id')
      .select(['e.id', 'e.organization_id', 'a.created_at as joined_at', 'e.until'])
      .where('a.user_id', '=', p('userId')),
  ),
  evidence_requested: columnsOf('evidence_request', 'created_by', 'id organization_id text created_at'),
  evidence_requests_answered: columnsOf('evidence_request', 'answered_by', 'id organization_id answered_at'),
  sign_offs: columnsOf('sign_off', 'created_by', 'id organization_id workflow_id control_id statement created_at'),
  controls_owned: columnsOf('control_state', 'owner_id', 'id organization_id workflow_id control_id due_date'),
  controls_attested: columnsOf(
    'control_attestation',
    'attested_by',
    'id organization_id workflow_id control_id statement attested_at',
  ),
  attestations_countersigned: columnsOf(
    'control_attestation',
    'countersigned_by',
    'id organization_id workflow_id control_id countersigned_at',
  ),
  attestations_withdrawn: columnsOf(
    'control_attestation',
    'withdrawn_by',
    'id organization_id workflow_id control_id withdrawal_reason withdrawn_at',
  ),
  documents_uploaded: columnsOf(
    'document_version',
    'created_by',
    'id organization_id workflow_id artifact_id original_name content_type size sha256 created_at',
  ),
  incidents_opened: columnsOf('incident', 'opened_by', 'id organization_id created_at'),
  incidents_closed: columnsOf('incident', 'closed_by', 'id organization_id closed_at'),
  incident_reports_recorded: columnsOf(
    'incident_report',
    'recorded_by',
    'id organization_id incident_id regime_id stage number sent_at recipient reference reason recorded_at',
  ),
  incident_attachments_uploaded: columnsOf(
    'incident_attachment',
    'created_by',
    'id organization_id incident_id original_name content_type size sha256 created_at',
  ),
  incident_notes_added: columnsOf('incident_note', 'created_by', 'id organization_id incident_id created_at'),
  workflows_imported: columnsOf('workflow_import', 'imported_by', 'id organization_id workflow_id mode imported_at'),
};

/** Sections whose ids are not numbers, with their first cursor. */
const BY_UUID: ReadonlySet<string> = new Set(['mails', 'directories', 'service_accounts']);
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

const actionsIn = statement<{ logId: number; userId: string; after: number }>()((p) =>
  db
    .selectFrom('audit_entry')
    .select(['position', 'entry', 'hash'])
    .where('log_id', '=', p('logId'))
    .where('actor', '=', p('userId'))
    .where('position', '>', p('after'))
    .orderBy('position')
    .limit(BATCH),
);

/** All data about a user as one JSON document, generated while it is sent. */
export class PersonalDataService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'links' | 'readings' | 'now'>) {}

  /** A signed address of the caller's export. Throws UNAUTHENTICATED, or FORBIDDEN without the scope `read`. */
  address(caller: Caller): { downloadUrl: string; expiresAt: Date } {
    return this.deps.links.personalDataAddress(this.deps.access.authorizeOwn(caller, 'read').userId);
  }

  /** The export of the caller itself. Throws as `address` does. */
  forCaller(caller: Caller): Promise<PreparedFile> {
    const user = this.deps.access.authorizeOwn(caller, 'read');
    return this.prepare(user, user.userId);
  }

  /** The export for a signed address. Throws NOT_FOUND for an invalid or expired one, or an inactive user. */
  bySignature(address: AddressSignature, origin: Origin): Promise<PreparedFile> {
    if (!this.deps.links.isGoodPersonalData(address)) throw notFound();
    return this.prepare({ ...SIGNED_ADDRESS, origin }, address.for);
  }

  private async prepare(actor: Actor, userId: string): Promise<PreparedFile> {
    const profile = found(await profileOf.first(this.deps.database, { userId }));
    const at = this.deps.now();
    const open = async () => {
      await this.deps.readings.read(actor, userEvent({ userId, ...profile }, { action: 'PROFILE_EXPORTED', at }));
      const document = new PersonalDocument(await this.deps.database.longReads(), { ...profile, userId });
      return Readable.from(document.text({ exported_at: at, profile }), { objectMode: false });
    };
    return { name: `personal-data-${at.toISOString().slice(0, 10)}.json`, open };
  }
}

/** The document in pieces. */
class PersonalDocument {
  constructor(
    private readonly database: Queryable,
    private readonly user: Omit<Listed, 'after'>,
  ) {}

  async *text(head: object): AsyncGenerator<string> {
    yield JSON.stringify(head).slice(0, -1);
    for (const [name, rows] of Object.entries(SECTIONS)) yield* section(name, this.batches(rows, BY_UUID.has(name)));
    yield* section('audit_trail', this.ownTrail());
    yield* section('actions_in_organizations', this.actions());
    yield '\n}\n';
  }

  private async *batches(rows: Rows, isByUuid: boolean): AsyncGenerator<object[]> {
    for (let after: number | string = isByUuid ? FIRST_UUID : 0; ;) {
      const batch = await rows.all(this.database, { ...this.user, after });
      yield batch;
      const last = batch.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  private async *ownTrail(): AsyncGenerator<object[]> {
    const head = await headOf(this.database, { userId: this.user.userId });
    for await (const batch of entriesUpTo(this.database, head))
      yield (await entryRecords(this.database, batch)).map(({ changes, reason, ...entry }) => ({
        ...actionOf(entry),
        changes,
        reason,
      }));
  }

  /** Of present and former organizations, the user's actions and their addresses. */
  private async *actions(): AsyncGenerator<object[]> {
    const { userId } = this.user;
    const trails = await trailsWith.all(this.database, { userId, member: `MEMBER/${userId}` });
    for (const { id: logId, organizationId } of trails) {
      for (let after = 0; ;) {
        const batch = await actionsIn.all(this.database, { logId, userId, after });
        const records = await entryRecords(this.database, batch);
        yield records.map((entry) => ({ organization_id: organizationId, ...actionOf(entry) }));
        const last = batch.at(-1);
        if (last === undefined) break;
        after = last.position;
      }
    }
  }
}

function actionOf(entry: Omit<EntryRecord, 'changes' | 'reason'> & { position: number }): object {
  const { position, at, action, actor, requestId, subject } = entry;
  const { tokenId: token_id, address, job } = actor;
  const { type, databaseId: id } = subject;
  return { position, at, action, job, token_id, address, request_id: requestId, subject: { type, id } };
}

/** A field of the document, with one row on each line. */
async function* section(name: string, batches: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = '\n';
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield '\n]';
}
