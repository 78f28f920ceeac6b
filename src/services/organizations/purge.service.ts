import { throwFailures } from '../../common/failures.js';
import { inBatches, untilFewer } from '../../database/until-fewer.js';
import { db, sql, statement, table, type Expression, type Statement } from '../../database/sql.js';
import type { Tables } from '../../entities/index.js';
import { LONG_AGO } from '../../mail/mail-outbox.js';
import type { Foundation } from '../foundation.js';
import type { AuditCheckpointService } from '../audit/checkpoints.service.js';
import { recordOrganization } from '../audit/subjects.js';
import { headOf } from '../audit/trails.js';
import { removeLogo } from './logo.js';
import { restorableSince } from '../shared/accessible-organizations.js';
import type { OrganizationTable } from '../shared/organization-columns.js';

/** Rows per statement, which bounds its duration. */
const BATCH = 500;

type Step = Statement<StepKey, { sha256: string | null; place: number }>;

interface StepKey {
  id: number;
  /** Cursor of the previous step, so that deleted rows are not read again; 0 at first. */
  from: number;
}

/**
 * One step: at most so many rows of an organization, the first by an index on it and on `order`. A number in
 * `order` is their position.
 */
function step<Name extends OrganizationTable>(
  name: Name,
  order: readonly (keyof Tables[Name] & string)[],
  content: Expression = sql`null`,
): Step {
  const columnsAs = (alias: string): Readonly<Record<string, Expression>> => table(name, alias);
  const [target, x] = [columnsAs(name), columnsAs('x')];
  const keys = ['organization_id', ...order].map((column) => x[column] as Expression);
  const [first = ''] = order;
  const isNumbered = first === 'id' || first === 'device_id';
  // Without an order the planner might read a table from its beginning. In a partitioned table, a later row of the
  // organization may have the same ctid: it is deleted as well, and there are more than BATCH.
  return statement<StepKey>()(
    (p) => sql`delete from ${target['table']} where ${target['organization_id']} = ${p('id')} and ctid = any(array(
        select x.ctid from ${x['table']}
         where ${x['organization_id']} = ${p('id')}${isNumbered ? sql` and ${x[first]} >= ${p('from')}` : sql``}
         order by ${sql.join(keys)} limit ${BATCH}))
      returning ${content} as sha256, ${isNumbered ? target[first] : 0} as place`,
  );
}

/** With their records in `weekly_report`. An id alone stays, by which the nightly job finds their files. */
const reportMails: Step = statement<StepKey>()((p) => {
  const m = table('outgoing_mail');
  const r = table('weekly_report', 'r');
  return sql`
    with gone as (
      delete from ${m.table} where ${m.id} = any(array(
        select ${r.mail_id} from ${r.table} where ${r.organization_id} = ${p('id')}
         order by ${r.organization_id}, ${r.id} limit ${BATCH}))
      returning ${m.id})
    insert into ${m.table} (id, recipient, state, created_at) select gone.id, '', 'SENT', ${LONG_AGO} from gone
    returning null as sha256, 0 as place`;
});

/** A provider has issued a token for each sign-in of years, and deleting a token searches five tables. */
const signIns: Step = statement<StepKey>()((p) => {
  const t = table('api_token');
  const [x, ip] = [table('api_token', 'x'), table('identity_provider', 'ip')];
  return sql`
    delete from ${t.table} where ${t.id} = any(array(
      select ${x.id} from ${ip.table} join ${x.table} on ${x.provider_id} = ${ip.id}
       where ${ip.organization_id} = ${p('id')} limit ${BATCH}))
    returning null as sha256, 0 as place`;
});

/**
 * Steps for tables with many rows, or whose rows prevent the deletion of an organization; everything else is deleted
 * with its row. Files come before their parents, and return the hash of their content.
 */
const STEPS = [
  step('incident_attachment', ['incident_id', 'id'], table('incident_attachment').sha256),
  step('document_version', ['created_at', 'id'], table('document_version').sha256),
  step('incident', ['id']),
  step('cloud_defender_check', ['device_id', 'datetime']),
  step('threat_blocker_check', ['device_id', 'datetime']),
  step('threat_blocker_traffic', ['device_id', 'bucket_start']),
  step('cloud_defender', ['id']),
  step('threat_blocker', ['id']),
  step('notification', ['id']),
  reportMails,
  step('control_state', ['workflow_id', 'control_id']),
  step('workflow_progress', ['workflow_id', 'day']),
  signIns,
];

/** Sort position of an organization for purging. */
interface Place {
  deletedAt: string;
  id: number;
}

const o = table('organization', 'o');

const purgeable = statement<{ before: Date } & Place>()(
  (p) => sql<Place>`
    select ${o.id}, ${o.deleted_at} as "deletedAt" from ${o.table}
     where ${o.deleted_at} < ${p('before')} and (${o.deleted_at}, ${o.id}) > (${p('deletedAt')}, ${p('id')})
     order by ${o.deleted_at}, ${o.id} limit ${sql.lit(BATCH)}`,
);

/** Locks the organization, so that a concurrent restore waits and then finds it purgeable or not. */
const lock = statement<{ id: number; before: Date }>()((p) =>
  db
    .selectFrom('organization')
    .select(['id', 'name', 'logo'])
    .where('id', '=', p('id'))
    .where('deleted_at', '<', p('before'))
    .forUpdate(),
);

const remove = statement<{ id: number }>()((p) => db.deleteFrom('organization').where('id', '=', p('id')));

const JOB = { kind: 'system', name: 'organizationPurge.purgeDeleted' } as const;

/**
 * Deletes organizations that were soft-deleted more than 30 days ago, with all that belongs to them, in small steps.
 * Each step checks for a restore; a crashed run is continued by the next, and concurrent runs share the work. The audit
 * trail stays, and ends with a tombstone.
 */
export class OrganizationPurgeService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'content' | 'now'>,
    private readonly checkpoints: AuditCheckpointService,
  ) {}

  /** Returns the number of organizations. After an error, the others are still purged: it is thrown afterwards. */
  async purgeDeleted(): Promise<number> {
    const before = restorableSince(this.deps.now());
    const failures = new Map<number, unknown>();
    let purged = 0;
    const dueAfter = ({ deletedAt, id }: Place = { deletedAt: '-infinity', id: 0 }) =>
      purgeable.all(this.deps.database, { before, deletedAt, id });
    for await (const due of inBatches(BATCH, dueAfter)) {
      for (const { id } of due) {
        const count = await this.purge(id, before).catch((error: unknown) => void failures.set(id, error));
        purged += count ?? 0;
      }
    }
    throwFailures(failures, 'not deleted for good');
    return purged;
  }

  private async purge(id: number, before: Date): Promise<number> {
    const { content, database, now } = this.deps;
    for (const each of STEPS) {
      let from = 0;
      await untilFewer(BATCH, async () => {
        const rows = await database.transaction(async (tx) =>
          (await lock.first(tx, { id, before })) === undefined ? [] : each.all(tx, { id, from }),
        );
        for (const { sha256 } of rows) if (sha256 !== null) await content.deleteIfUnreferenced(sha256);
        from = rows.map(({ place }) => place).toSorted((one, other) => one - other)[BATCH - 1] ?? from;
        return rows.length;
      });
    }
    const owner = { organizationId: id };
    const gone = await this.checkpoints.signing(owner, async (tx, sign) => {
      const locked = await lock.first(tx, { id, before });
      if (locked === undefined) return undefined;
      // The trail is signed, and the tombstone after it: both remain after the retention. A trail with a
      // defect is not signed, which does not prevent the rest from being deleted.
      const isSigned = await this.checkpoints.isSigned(owner, async () => sign(await headOf(tx, owner)));
      await recordOrganization(tx, JOB, locked, { action: 'ORGANIZATION_PURGED', at: now() });
      if (isSigned) await sign(await headOf(tx, owner));
      await remove.all(tx, { id });
      return locked;
    });
    if (gone === undefined) return 0;
    await removeLogo(content, gone.logo);
    return 1;
  }
}
