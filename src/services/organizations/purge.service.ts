import type { Database, Queryable } from '../../database/database.js';
import { untilFewer } from '../../database/until-fewer.js';
import { db, sql, statement, table, type Expression, type Statement } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import type { AuditCheckpointService } from '../audit/checkpoints.service.js';
import { recordOrganization } from '../audit/subjects.js';
import { headOf } from '../audit/trails.js';
import { logoContent } from './logo.service.js';
import { restorableSince } from '../shared/restorable.js';
import type { StoredContent } from '../files/stored-content.js';

/** Rows of one statement, so that none runs for long. */
const BATCH = 500;

type NumberedTable = { [Name in keyof Tables]: Tables[Name] extends { id: unknown } ? Name : never }[keyof Tables];

/** One step: at most so many rows of a table, of those, named `x`, that `of` finds of an organization. */
function step(
  name: NumberedTable,
  of: (id: Expression) => Expression,
  content: Expression = sql`null`,
): Statement<{ id: number }, { sha256: string | null }> {
  const target = table(name);
  const x = table(name, 'x');
  return statement<{ id: number }>()(
    (
      p,
    ) => sql`delete from ${target.table} where ${target.id} in (select ${x.id} from ${x.table} ${of(p('id'))} limit ${BATCH})
      returning ${content} as sha256`,
  );
}

function ofOrganization(name: 'document_version' | 'incident' | 'notification') {
  return (id: Expression) => sql`where ${table(name, 'x').organization_id} = ${id}`;
}

function ofDevices(
  devices: 'cloud_defender' | 'threat_blocker',
  name: 'cloud_defender_check' | 'threat_blocker_check' | 'threat_blocker_traffic',
) {
  const d = table(devices, 'd');
  const join = sql`join ${d.table} on ${d.id} = ${table(name, 'x').device_id}`;
  return (id: Expression) => sql`${join} where ${d.organization_id} = ${id}`;
}

function ofIncidents(id: Expression) {
  const i = table('incident', 'i');
  const join = sql`join ${i.table} on ${i.id} = ${table('incident_attachment', 'x').incident_id}`;
  return sql`${join} where ${i.organization_id} = ${id}`;
}

/**
 * What there may be much of, or what an organization cannot be deleted with; everything else is deleted with its row.
 * Files come before what they belong to, and return the hash of their content.
 */
const STEPS = [
  step('incident_attachment', ofIncidents, table('incident_attachment').sha256),
  step('document_version', ofOrganization('document_version'), table('document_version').sha256),
  step('incident', ofOrganization('incident')),
  step('cloud_defender_check', ofDevices('cloud_defender', 'cloud_defender_check')),
  step('threat_blocker_check', ofDevices('threat_blocker', 'threat_blocker_check')),
  step('threat_blocker_traffic', ofDevices('threat_blocker', 'threat_blocker_traffic')),
  step('notification', ofOrganization('notification')),
];

interface Purgeable {
  id: number;
  before: Date;
}

const purgeable = statement<{ before: Date }>()((p) =>
  db.selectFrom('organization').select('id').where('deleted_at', '<', p('before')).orderBy('deleted_at').limit(BATCH),
);

export interface PurgeSettings {
  content: StoredContent;
  checkpoints: AuditCheckpointService;
  now: () => Date;
}

/** Locks what is purged, so that a concurrent restore waits and then finds it purgeable or not. */
const hold = statement<Purgeable>()((p) =>
  db
    .selectFrom('organization')
    .select(['id', 'name'])
    .where('id', '=', p('id'))
    .where('deleted_at', '<', p('before'))
    .forUpdate(),
);

const remove = statement<Purgeable>()((p) =>
  db.deleteFrom('organization').where('id', '=', p('id')).where('deleted_at', '<', p('before')).returning('logo'),
);

const JOB = { kind: 'system', name: 'organizationPurge.purgeDeleted' } as const;

/**
 * Deletes organizations that were soft-deleted more than 30 days ago, with all that belongs to them, in small steps.
 * Each step checks for a restore; a crashed run is continued by the next, and concurrent runs share the work. The audit
 * trail stays, and ends with a tombstone.
 */
export class OrganizationPurge {
  constructor(
    private readonly database: Database,
    private readonly settings: PurgeSettings,
  ) {}

  /** Says how many organizations there were. */
  async purgeDeleted(): Promise<number> {
    const before = restorableSince(this.settings.now());
    let purged = 0;
    for (;;) {
      const due = await purgeable.all(this.database, { before });
      for (const { id } of due) purged += await this.purge(id, before);
      if (due.length < BATCH) return purged;
    }
  }

  private async purge(id: number, before: Date): Promise<number> {
    for (const each of STEPS) await untilFewer(BATCH, () => this.run(each, { id, before }));
    const gone = await this.database.transaction(async (tx) => {
      const held = await hold.first(tx, { id, before });
      if (held === undefined) return [];
      await this.endTrail(tx, held);
      return remove.all(tx, { id, before });
    });
    for (const { logo } of gone) await this.deleteIfUnreferenced(logoContent(logo));
    return gone.length;
  }

  /** Signs what the trail has, and the tombstone after it: both are what is left after the retention. */
  private async endTrail(tx: Queryable, organization: { id: number; name: string }): Promise<void> {
    const { checkpoints, now } = this.settings;
    await checkpoints.sign(tx, await headOf(tx, { organizationId: organization.id }));
    await recordOrganization(tx, JOB, organization, { action: 'ORGANIZATION_PURGED', at: now() });
    await checkpoints.sign(tx, await headOf(tx, { organizationId: organization.id }));
  }

  private async run(each: (typeof STEPS)[number], key: Purgeable): Promise<number> {
    const rows = await this.database.transaction(async (tx) => {
      if ((await hold.first(tx, key)) === undefined) return [];
      return each.all(tx, key);
    });
    for (const { sha256 } of rows) await this.deleteIfUnreferenced(sha256 ?? undefined);
    return rows.length;
  }

  private async deleteIfUnreferenced(content: string | undefined): Promise<void> {
    if (content !== undefined) await this.settings.content.deleteIfUnreferenced(content);
  }
}
