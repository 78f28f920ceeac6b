import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection } from '../../common/selection.js';
import type { Page } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { invalidInput } from '../../errors.js';
import { UNCHANGING, type AuditAction, type AuditSubjectType } from '../../values/audit.js';
import { entryRecords } from '../audit/entry-records.js';
import { headOf } from '../audit/trails.js';
import type { AsOfService } from './as-of.service.js';

export interface ChangesQuery extends ListQuery<'POSITION'> {
  /** Begin: the first change after the state as of this instant; the first entry when absent. */
  from?: Date | null;
  /** End: the last change in the state as of this instant; now when absent. */
  to?: Date | null;
  /** The id of a user or a service account. */
  actorId?: string | null;
  actorJob?: string | null;
  action?: AuditAction | null;
  subjectType?: AuditSubjectType | null;
  subjectId?: string | null;
  field?: string | null;
}

const e = table('audit_entry', 'e');
const [field, number] = [sql.ref('each.field'), sql`coalesce(${sql.ref('each.number')}, 0)`];

/** The most fields of one entry, for the key of a row. */
const FIELDS = sql.lit(10_000);

/** A row for each field of an entry, and one row for an entry without fields. */
const listing = new Listing<ChangesQuery>({
  from: sql`${e.table} left join lateral json_object_keys(${e.entry}::json -> 'changes') with ordinality as each(field, number) on true`,
  id: { column: sql`(${e.position} * ${FIELDS} + ${number})`, type: 'bigint' },
  parent: { column: e.log_id, type: 'bigint' },
  sorts: { POSITION: { column: e.position, type: 'bigint' } },
  order: { field: 'POSITION', direction: 'ASC' },
  filters: {
    actorId: (id) => sql`${e.actor} = lower(${id})`,
    actorJob: (job) => sql`${e.actor} = ${job}`,
    action: (action) => sql`${e.action} = ${action}`,
    subjectType: (type) => sql`${e.subject_type} = ${type}`,
    field: (wanted) => sql`${field} = ${wanted}`,
  },
});

const isWithin = filter<{ after: number; upTo: number }>(
  (p) => sql`${e.position} > ${p('after')}::bigint and ${e.position} <= ${p('upTo')}::bigint`,
);
const isAbout = filter<{ subject: string }>((p) => sql`${e.subject} = ${p('subject')}`);
const isChange = filter(() => sql`${e.action} not in (${sql.join(UNCHANGING.map((action) => sql.lit(action)))})`);

const NO_LOG = -1;

const IN_ENTRY = ['actor', 'subject', 'before', 'after', 'reason'];

const projection = new Projection('RecordedChange', {
  ...properties(e, 'position', 'at', 'action'),
  field,
  ...Object.fromEntries(IN_ENTRY.map((property) => [property, { needs: { entry: e.entry, $field: field } }])),
});

type ChangeRow = { entry?: string; $field?: string | null };

/** Changes of an organization between two instants, field by field, from its audit trail (docs/adr/0046). */
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly asOf: Pick<AsOfService, 'entryAt'>,
  ) {}

  /**
   * The changes after the state as of `from`, up to that as of `to`, in the order of the trail. Throws NOT_FOUND,
   * FORBIDDEN, and BAD_USER_INPUT for instants in the wrong order, in the future or before the first entry.
   */
  async list(
    caller: Caller,
    organizationId: number,
    { from, to, subjectType, subjectId, ...query }: ChangesQuery,
    selection: ListSelection,
  ): Promise<Page<object>> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    if (from && to && from > to) throw invalidInput([{ path: ['to'], sentence: 'must not be before {from}' }]);
    const head = await headOf(this.database, { organizationId });
    const positionAt = async (at: Date, argument: string) =>
      (await this.asOf.entryAt({ organizationId, at }, argument, () => Promise.resolve(1))).position;
    const after = from ? await positionAt(from, 'from') : 0;
    const upTo = to ? await positionAt(to, 'to') : head.position;
    const isOne = subjectType != null && subjectId != null;
    const conditions = [
      isWithin({ after, upTo }),
      ...(isOne ? [isAbout({ subject: `${subjectType}/${subjectId}` })] : []),
      ...(query.action == null ? [isChange({})] : []),
    ];
    const request = { ...query, ...(!isOne && { subjectType }), conditions, ...projection.list(selection) };
    const page = await listing.of<ChangeRow>(this.database, head.id ?? NO_LOG, request);
    await this.complete(page.rows, organizationId);
    return page;
  }

  private async complete(rows: readonly ChangeRow[], organizationId: number): Promise<void> {
    const stored = rows.filter((row): row is { entry: string; $field: string | null } => row.entry !== undefined);
    const records = await entryRecords(this.database, stored);
    for (const [index, { actor, subject, reason, changes }] of records.entries()) {
      const row = stored[index] as ChangeRow;
      const { before = null, after = null } = changes.find((change) => change.field === row.$field) ?? {};
      Object.assign(row, { actor: { ...actor, organizationId }, subject, reason, before, after });
    }
  }
}
