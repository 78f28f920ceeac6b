import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { rowsOfAll, type Page } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import type { ListQuery } from '../../database/list-query.js';
import { person, Projection } from '../../database/projection.js';
import { sql, table, type Expression } from '../../database/sql.js';
import type { AuditAction } from '../../values/audit.js';
import type { IncidentTimelineKind } from '../../values/enums.js';
import type { AuditTrailService } from '../audit/audit-trail.service.js';
import { IncidentListing, type IncidentRecords } from './incident-records.js';
import type { IncidentRef } from './incidents.service.js';

export type IncidentTimelineQuery = ListQuery<'AT'>;

/** Sources of the items' objects. */
export type TimelineSources = Record<'report' | 'attachment' | 'note', Pick<IncidentRecords, 'byIds'>> & {
  entry: AuditTrailService;
};

type Field = Lowercase<IncidentTimelineKind>;

type ItemRow = { kind: IncidentTimelineKind; number: number; organizationId: number } & {
  [Name in Field]?: object | null;
};

const i = table('incident', 'i');
const e = table('audit_entry', 'e');
const l = table('audit_log', 'l');
const r = table('incident_report', 'r');
const a = table('incident_attachment', 'a');
const n = table('incident_note', 'n');
const u = table('app_user', 'u');

/** Actions with items of their own, which are not shown as entries as well; that of attaching, as long as the file exists. */
const SHOWN_OTHERWISE: readonly AuditAction[] = [
  'REPORT_RECORDED',
  'REPORT_CORRECTED',
  'ATTACHMENT_ADDED',
  'NOTE_ADDED',
];

/** Sort positions at one time: by kind, and then by number, each below 2^50. */
const KINDS: readonly IncidentTimelineKind[] = ['ENTRY', 'REPORT', 'ATTACHMENT', 'NOTE'];

interface Branch {
  at: Expression;
  number: Expression;
  author: Expression;
  userId: Expression;
  /** With its conditions. */
  from: Expression;
}

function branch(kind: IncidentTimelineKind, { at, number, author, userId, from }: Branch): Expression {
  const place = sql`${sql.lit(KINDS.indexOf(kind) * 2 ** 50)}::bigint + ${number}`;
  return sql`select ${at} as at, ${sql.lit(kind)}::text as kind, ${number}::bigint as number, ${place} as place,
                    ${author} as author, ${userId} as user_id ${from}`;
}

function ofIncident(rows: typeof r | typeof a | typeof n): Expression {
  return sql`from ${rows.table} where ${rows.organization_id} = ${i.organization_id} and ${rows.incident_id} = ${i.id}`;
}

const NONE = sql`null::uuid`;

const t = (name: 'at' | 'kind' | 'number' | 'place' | 'author' | 'user_id') => sql.ref(`t.${name}`);

const subject = sql`'INCIDENT/' || ${i.id}`;

const IS_GONE = sql`(${e.action} = 'ATTACHMENT_ADDED' and not exists (
  select ${ofIncident(a)} and 'INCIDENT_ATTACHMENT/' || ${a.id} = ${e.subject}))`;

const ITEMS = sql.join(
  [
    branch('ENTRY', {
      ...{ at: sql`${e.at}::timestamptz`, number: e.position, author: sql`null` },
      userId: sql`case when ${e.actor} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${e.actor}::uuid end`,
      from: sql`from ${e.table}
        where ${e.log_id} = (select ${l.id} from ${l.table} where ${l.organization_id} = ${i.organization_id})
          and (${e.subject} = ${subject} or ${e.parent} = ${subject})
          and (${e.action} <> all(${sql.lit(`{${SHOWN_OTHERWISE.join()}}`)}::text[]) or ${IS_GONE})`,
    }),
    branch('REPORT', { at: r.recorded_at, number: r.id, author: r.recorded_by, userId: NONE, from: ofIncident(r) }),
    branch('ATTACHMENT', { at: a.created_at, number: a.id, author: a.created_by, userId: NONE, from: ofIncident(a) }),
    branch('NOTE', { at: n.created_at, number: n.id, author: n.created_by, userId: NONE, from: ofIncident(n) }),
  ],
  sql` union all `,
);

const listing = new IncidentListing<IncidentTimelineQuery>(
  {
    from: sql`${i.table} cross join lateral (${ITEMS}) t`,
    id: { column: t('place'), type: 'bigint' },
    parent: { column: i.id, type: 'bigint' },
    sorts: { AT: { column: t('at'), type: 'timestamptz' } },
    order: { field: 'AT', direction: 'ASC' },
  },
  i.organization_id,
);

/** A user without a key was erased. */
const ACTOR = sql`coalesce(${t('author')}, (
  select ${u.username} from ${u.table} where ${u.id} = ${t('user_id')} and ${u.personal_key} is not null))`;

const projection = new Projection(
  'IncidentTimelineItem',
  {
    ...{ at: t('at'), kind: t('kind'), number: t('number'), organizationId: i.organization_id, actor: person(ACTOR) },
    ...{ entry: { needs: {} }, report: { needs: {} }, attachment: { needs: {} }, note: { needs: {} } },
  },
  ['kind', 'number', 'organizationId'],
);

const isReadable = filter<{ audited: readonly number[] }>(
  (p) => sql`(${t('kind')} <> 'ENTRY' or ${i.organization_id} = any(${p('audited')}::bigint[]))`,
);

/** The history of incidents: reports, files, notes, and other entries of the audit trail. */
export class IncidentTimelineService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly sources: TimelineSources,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not read the incident. */
  authorize(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /**
   * The timeline of each incident, oldest first by default: with entries of the audit trail where the
   * caller may read that. Throws for the first incident that the caller may not read.
   */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: IncidentTimelineQuery,
    selection: ListSelection,
  ): Promise<Map<IncidentRef, Page<object>>> {
    const audited = new Set<number>();
    for (const incident of incidents) {
      await this.authorize(caller, incident);
      const { organizationId: id } = incident;
      if (await this.access.allows(caller, 'READ_AUDIT_TRAIL', id)) audited.add(id);
    }
    const conditions = [isReadable({ audited: [...audited] })];
    const request = { ...query, ...projection.list(selection), conditions };
    const pages = await listing.ofIncidents<ItemRow>(this.database, incidents, request);
    await this.complete(rowsOfAll(pages), selection.items);
    return pages;
  }

  /** One statement for each selected kind, for any number of incidents. */
  private async complete(rows: readonly ItemRow[], items: Selection): Promise<void> {
    for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
      const field = kind.toLowerCase() as Field;
      if (!items.has(field)) continue;
      const numbers = own.map(({ number }) => number);
      if (field === 'entry') {
        const organizationIds = own.map(({ organizationId }) => organizationId);
        const found = await this.sources.entry.entriesAt(organizationIds, numbers, items.of(field));
        for (const row of own) row.entry = found.get(`${row.organizationId}/${row.number}`) ?? null;
      } else {
        const found = await this.sources[field].byIds(numbers, items.of(field));
        for (const row of own) row[field] = found.get(row.number) ?? null;
      }
    }
  }
}
