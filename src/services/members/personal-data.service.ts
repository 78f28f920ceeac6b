import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Actor, Caller, Origin } from '../../auth/caller.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, type Placeholders, type Statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import { entryRecords, type EntryRecord } from '../audit/entry-records.js';
import { recordUser } from '../audit/subjects.js';
import { entriesUpTo, headOf } from '../audit/trails.js';
import { SIGNED_ADDRESS, type DownloadLinks, type AddressSignature } from '../files/downloads.service.js';
import { trailsWith } from './erasure.service.js';

/** Rows that are in memory at a time. */
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
    .select(['id', 'username', 'email', 'email_verified_at', 'first_name', 'last_name', 'created_at'])
    .where('id', '=', p('userId'))
    .where('deactivated_at', 'is', null),
);

/** The rows of a section of the document, a batch at a time. */
const rowsOf = (build: (p: Placeholders<Listed>) => object): Rows =>
  statement<Listed>()(
    (p) => sql<{ id: number | string }>`
      select * from (${build(p)}) as listed where id > ${p('after')} order by id limit ${sql.lit(BATCH)}`,
  );

/**
 * What is about the user, and what it did, by the name of the section. Of what it did in organizations there is what it
 * gave itself, and otherwise ids and times: the rest belongs to the organizations (docs/privacy.md).
 */
const SECTIONS: Readonly<Record<string, Rows>> = {
  memberships: rowsOf((p) =>
    db
      .selectFrom('membership as m')
      .innerJoin('organization as o', 'o.id', 'm.organization_id')
      .select([
        'm.id',
        'm.organization_id',
        'o.name as organization',
        'm.role',
        'm.alert_atb',
        'm.alert_cloud_defender',
      ])
      .select(['m.alert_v_ciso', 'm.mail_preferences', 'm.created_at as joined_at', 'm.deactivated_at'])
      .where('m.user_id', '=', p('userId')),
  ),
  tokens: rowsOf((p) =>
    db
      .selectFrom('api_token')
      .select(['id', 'name', 'prefix', 'scopes', 'allowed_ips', 'created_at', 'expires_at', 'last_used_at'])
      .select(['revoked_at', 'replaced_at'])
      .where('user_id', '=', p('userId')),
  ),
  notifications: rowsOf((p) =>
    db
      .selectFrom('notification')
      .select(['id', 'organization_id', 'type', 'title', 'message', 'read', 'created_at', 'href'])
      .where('user_id', '=', p('userId')),
  ),
  invitations_received: rowsOf((p) =>
    db
      .selectFrom('invitation')
      .select(['id', 'organization_id', 'role', 'created_at', 'expires_at', 'accepted_at', 'closed_at'])
      .where('email', '=', p('email')),
  ),
  invitations_sent: rowsOf((p) =>
    db
      .selectFrom('invitation')
      .select(['id', 'organization_id', 'role', 'created_at', 'expires_at', 'accepted_at', 'closed_at'])
      .where('invited_by_id', '=', p('userId')),
  ),
  recoveries: rowsOf((p) =>
    db
      .selectFrom('token_recovery')
      .select(['id', 'created_at', 'expires_at', 'used_at'])
      .where('user_id', '=', p('userId')),
  ),
  mails: rowsOf((p) =>
    db.selectFrom('outgoing_mail').select(['id', 'state', 'created_at', 'sent_at']).where('recipient', '=', p('email')),
  ),
  controls_owned: rowsOf((p) =>
    db
      .selectFrom('control_state')
      .select(['id', 'organization_id', 'workflow_id', 'control_id', 'due_date'])
      .where('owner_id', '=', p('userId')),
  ),
  documents_uploaded: rowsOf((p) =>
    db
      .selectFrom('document_version')
      .select([
        'id',
        'organization_id',
        'workflow_id',
        'artifact_id',
        'original_name',
        'content_type',
        'size',
        'sha256',
      ])
      .select('created_at')
      .where('created_by', '=', p('username')),
  ),
  incidents_opened: rowsOf((p) =>
    db.selectFrom('incident').select(['id', 'organization_id', 'created_at']).where('opened_by', '=', p('username')),
  ),
  incidents_closed: rowsOf((p) =>
    db.selectFrom('incident').select(['id', 'organization_id', 'closed_at']).where('closed_by', '=', p('username')),
  ),
  incident_reports_recorded: rowsOf((p) =>
    db
      .selectFrom('incident_report')
      .select(['id', 'organization_id', 'incident_id', 'regime_id', 'stage', 'number', 'sent_at'])
      .select(['recipient', 'reference', 'reason', 'recorded_at'])
      .where('recorded_by', '=', p('username')),
  ),
  incident_attachments_uploaded: rowsOf((p) =>
    db
      .selectFrom('incident_attachment')
      .select(['id', 'organization_id', 'incident_id', 'original_name', 'content_type', 'size', 'sha256', 'created_at'])
      .where('created_by', '=', p('username')),
  ),
  incident_notes_added: rowsOf((p) =>
    db
      .selectFrom('incident_note')
      .select(['id', 'organization_id', 'incident_id', 'created_at'])
      .where('created_by', '=', p('username')),
  ),
  workflows_imported: rowsOf((p) =>
    db
      .selectFrom('workflow_import')
      .select(['id', 'organization_id', 'workflow_id', 'mode', 'imported_at'])
      .where('imported_by', '=', p('username')),
  ),
};

/** What ids begin after, where they are not numbers. */
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

/** Everything about a user as one JSON document, which is read while it is sent. */
export class PersonalDataService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly links: DownloadLinks,
    private readonly now: () => Date,
  ) {}

  /** A signed address of the caller's export. Throws UNAUTHENTICATED, or FORBIDDEN without the scope `read`. */
  address(caller: Caller): { downloadUrl: string; expiresAt: Date } {
    return this.links.personalDataAddress(this.access.authorizeSelf(caller, 'read').userId);
  }

  /** The export of the caller itself. Throws as `address` does. */
  forCaller(caller: Caller): Promise<PreparedFile> {
    const user = this.access.authorizeSelf(caller, 'read');
    return this.prepare(user, user.userId);
  }

  /** The export for who has its address. Throws NOT_FOUND for one that is not ours or has expired, or of no active user. */
  bySignature(address: AddressSignature, origin: Origin): Promise<PreparedFile> {
    if (!this.links.isGoodPersonalData(address)) throw notFound();
    return this.prepare({ ...SIGNED_ADDRESS, origin }, address.for);
  }

  private async prepare(actor: Actor, userId: string): Promise<PreparedFile> {
    const profile = await profileOf.first(this.database, { userId });
    if (profile === undefined) throw notFound();
    const at = this.now();
    const open = async () => {
      await recordUser(this.database, actor, { userId, ...profile }, { action: 'PROFILE_EXPORTED', at });
      const document = new PersonalDocument(await this.database.longReads(), { ...profile, userId });
      return Readable.from(document.text({ exported_at: at, profile }), { objectMode: false });
    };
    return { name: `personal-data-${at.toISOString().slice(0, 10)}.json`, open };
  }
}

/** The document as it is sent. */
class PersonalDocument {
  constructor(
    private readonly database: Queryable,
    private readonly user: Omit<Listed, 'after'>,
  ) {}

  async *text(head: object): AsyncGenerator<string> {
    yield JSON.stringify(head).slice(0, -1);
    for (const [name, rows] of Object.entries(SECTIONS)) yield* section(name, this.batches(rows, name === 'mails'));
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

  /** Of its organizations, also those that it has left, and of each what the user did and from where. */
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

/** A field of the document: one row on each line. */
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
