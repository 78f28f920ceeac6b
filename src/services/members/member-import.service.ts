import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { isUuid } from '../../common/formats.js';
import { changedCell, type TableLimits } from '../../common/incoming-table.js';
import { NO_FIELDS } from '../../common/selection.js';
import type { Database } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { found, invalidInput } from '../../errors.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import {
  columnError,
  importRows,
  KEY,
  requireExported,
  sentTable,
  timeFor,
  VERSION,
  type CellChange,
  type Cells,
  type ImportedTable,
  type IncomingTable,
  type RowChange,
  type RowCheck,
} from '../shared/import-rows.js';
import type { MemberChange, MemberUpdateService } from './member-update.service.js';

export interface MemberTable extends IncomingTable {
  organizationId: number;
  check: RowCheck;
}

const m = table('membership', 'm');
const u = table('app_user', 'u');

/** Columns of the export that a row cannot change, by their texts. */
const FIXED = {
  ...{ username: u.username, email: u.email, first_name: u.first_name, last_name: u.last_name },
  ...{ alerts_atb: m.alert_atb, alerts_cloud_defender: m.alert_cloud_defender, alerts_v_ciso: m.alert_v_ciso },
};

/** A column that spreadsheets reformat. */
const IGNORED = ['joined_at'];

const COLUMNS = {
  known: new Set([KEY, VERSION, 'role', 'active', ...Object.keys(FIXED), ...IGNORED]),
  required: [KEY],
  ignored: new Set(IGNORED),
};

/** A member as exported: each value as a text. */
type ExportedMember = Record<keyof typeof FIXED | 'id' | 'role' | 'active', string> & { version: number };

const exported = statement<{ organizationId: number; userIds: readonly string[] }>()(
  (p) => sql<ExportedMember>`
    select ${u.id}, ${m.role}, (${ACTIVE_MEMBER})::text as active, ${m.version},
           ${sql.join(Object.entries(FIXED).map(([name, column]) => sql`${column}::text as ${sql.ref(name)}`))}
      from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.kind} = 'PERSON'
     where ${m.organization_id} = ${p('organizationId')} and ${m.user_id} = any(${p('userIds')}::uuid[])`,
);

/** Changes roles and activation of members by an edited export. */
export class MemberImportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly updates: MemberUpdateService,
    private readonly stallSeconds: number,
  ) {}

  /** One result for each row, in order. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT and FILE_TOO_LARGE for the table. */
  async import(caller: Caller, { organizationId, check, ...table }: MemberTable): Promise<ImportedTable> {
    const mayGoOn = timeFor(this.stallSeconds);
    const sent = await this.read(caller, { organizationId, ...table });
    const keys = sent.rows.map(({ cells }) => cells?.get(KEY) ?? '');
    // Whether an owner is the last one depends on the rows before it.
    const how = { dryRun: table.dryRun, undone: 'the table', mayGoOn, keyOf: memberKey } as const;
    return importRows(this.database, sent, { ...how, apply: await this.applying(caller, organizationId, keys, check) });
  }

  /** Reads a table. Throws as `import` does. */
  async read(caller: Caller, { organizationId, ...table }: Omit<MemberTable, 'check'>, limits?: TableLimits) {
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    return sentTable(table, COLUMNS, limits);
  }

  /** Returns the function that applies rows with these keys to the members as they are now. */
  async applying(caller: Caller, organizationId: number, keys: readonly string[], check: RowCheck): Promise<RowChange> {
    const userIds = keys.filter(isUuid);
    const members = await exported.all(this.database, { organizationId, userIds });
    const byId = new Map(members.map((member) => [member.id, member]));
    return async (cells, key) => {
      const member = found(byId.get(memberKey(key)));
      const changes = changesOf(cells, member, check);
      if (changes.length === 0) return changes;
      requireExported(cells, member);
      const { version } = member;
      const to = new Map(changes.map(({ column, after }) => [column, after]));
      const change: MemberChange = { organizationId, userId: member.id, version };
      if (to.has('role')) change.role = to.get('role') as NonNullable<MemberChange['role']>;
      if (to.has('active')) change.active = to.get('active') === 'true';
      await this.updates.update(await this.access.renewed(caller), change, NO_FIELDS);
      return changes;
    };
  }
}

function changesOf(cells: Cells, member: ExportedMember, check: RowCheck): CellChange[] {
  for (const name of Object.keys(FIXED) as (keyof typeof FIXED)[])
    if (sent(cells, member, name) !== undefined) throw columnError(name, 'cannot be changed');
  const [role, active] = [sent(cells, member, 'role'), sent(cells, member, 'active')];
  const said = {
    ...(role !== undefined && { role }),
    ...(active !== undefined && { active: booleanOf(active) ?? active }),
  };
  const { errors } = check(said);
  if (errors.length > 0) throw invalidInput(errors.map((each) => ({ ...each, path: ['row', ...each.path] })));
  return Object.entries(said).map(([column, after]) => {
    return { column, before: member[column as 'role' | 'active'], after: String(after) };
  });
}

/** The text of a cell that differs from its export; undefined if missing or equal. */
function sent(cells: Cells, member: ExportedMember, name: keyof typeof FIXED | 'role' | 'active'): string | undefined {
  const cell = cells.get(name);
  const before = member[name];
  if (cell === undefined || (BOOLEANS.has(before) && booleanOf(cell) === (before === 'true'))) return undefined;
  return changedCell(cell, before);
}

const BOOLEANS = new Set(['true', 'false']);

/** Spreadsheets write booleans in capitals, in the user's language. */
function booleanOf(cell: string): boolean | undefined {
  const text = cell.trim().toLowerCase();
  if (['true', 'wahr', 'vero'].includes(text)) return true;
  return ['false', 'falsch', 'falso'].includes(text) ? false : undefined;
}

/** An id in its canonical spelling. */
export const memberKey = (cell: string) => cell.toLowerCase();
