import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { changedCell, type TableLimits } from '../../common/incoming-table.js';
import { toSnakeCase } from '../../common/naming.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { found, refuseErrors } from '../../errors.js';
import { languageOf, LANGUAGES } from '../../messages/language.js';
import {
  columnError,
  importRows,
  inColumns,
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
import type { ControlChange, ControlUpdateService } from './control-update.service.js';
import type { ControlService, OrganizationControlView } from './controls.service.js';
import type { OrganizationWorkflowKey } from './progress.js';
import type { WorkflowService } from './workflows.service.js';

export interface ControlTable extends IncomingTable, OrganizationWorkflowKey {
  check: RowCheck;
}

type Written = Exclude<keyof ControlChange, 'ownerId'>;

/** Columns that a row changes, by field; the owner has two. */
const WRITTEN: Readonly<Record<string, Written>> = {
  ...{ status: 'status', justification: 'justification', inclusion_reason: 'inclusionReason', due_date: 'dueDate' },
  ...{ note: 'note', review_interval_months: 'reviewIntervalMonths' },
};
const [OWNER_ID, OWNER_NAME] = ['owner_user_id', 'owner_username'];

/** Columns that identify the control: they show where a spreadsheet has changed `6.10` to a number. */
const FIXED = ['label', 'text', 'parent_id', 'kind'] as const;

/** Derived columns, with the value at the time of the export. */
const DERIVED = [
  ...[
    'position',
    'owner_first_name',
    'owner_last_name',
    'overdue',
    'evidence_own',
    'evidence_mapped',
    'evidence_total',
  ],
  ...['evidence_valid_until', 'evidence_sources', 'evidence_state', 'updated_at', 'attestation_id'],
  ...['attestation_state', 'attestation_attested_by', 'attestation_attested_at', 'attestation_countersigned_by'],
  'attestation_countersigned_at',
];

const COLUMNS = {
  known: new Set([KEY, VERSION, ...FIXED, ...Object.keys(WRITTEN), OWNER_ID, OWNER_NAME, ...DERIVED]),
  required: [KEY],
  ignored: new Set(DERIVED),
};

const memberNamed = statement<{ organizationId: number; username: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('m.user_id as id')
    .where('m.organization_id', '=', p('organizationId'))
    .where('u.username', '=', p('username')),
);

/** Changes controls by an edited export. */
export class ControlImportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: WorkflowService,
    private readonly controls: ControlService,
    private readonly updates: ControlUpdateService,
    private readonly stallSeconds: number,
  ) {}

  /** One result for each row, in order. Throws NOT_FOUND, FORBIDDEN, BAD_USER_INPUT and FILE_TOO_LARGE for the table. */
  async import(caller: Caller, { organizationId, workflowId, check, ...table }: ControlTable): Promise<ImportedTable> {
    const key = { organizationId, workflowId };
    const mayGoOn = timeFor(this.stallSeconds);
    const sent = await this.read(caller, { ...key, ...table });
    const how = { dryRun: table.dryRun, undone: 'each row', mayGoOn } as const;
    return importRows(this.database, sent, { ...how, apply: await this.applying(caller, key, check) });
  }

  /** Reads a table. Throws as `import` does. */
  async read(
    caller: Caller,
    { organizationId, workflowId, ...table }: Omit<ControlTable, 'check'>,
    limits?: TableLimits,
  ) {
    const key = { organizationId, workflowId };
    await this.updates.authorized(caller, key);
    await this.workflows.requireAssociated(key);
    return sentTable(table, COLUMNS, limits);
  }

  /** Applies rows to the present controls. */
  async applying(caller: Caller, key: OrganizationWorkflowKey, check: RowCheck): Promise<RowChange> {
    const seen = await this.updates.authorized(caller, key);
    const [controls = []] = await this.controls.ofWorkflows([seen.key]);
    const byId = new Map(controls.map((control) => [control.controlId, control]));
    return async (cells, controlId) => {
      const control = found(byId.get(controlId));
      return inColumns(columnOf, async () => {
        const { update, changes } = await this.changesOf(cells, control, check);
        if (changes.length === 0) return changes;
        requireExported(cells, control);
        await this.updates.update(await this.access.renewed(caller), key, {
          ...update,
          controlId,
          version: control.version,
        });
        return changes;
      });
    };
  }

  private async changesOf(cells: Cells, control: OrganizationControlView, check: RowCheck) {
    for (const name of FIXED) if (!isSame(cells, control, name)) throw columnError(name, 'cannot be changed');
    const owner = await this.ownerOf(cells, control);
    const said = { ...saidOf(cells, control), ...(owner !== undefined && { ownerId: owner }) };
    const { fields, errors } = check(said);
    refuseErrors(errors);
    const before: Record<string, unknown> = { ...control, ownerId: control.owner?.userId ?? null };
    const changed = Object.entries(fields).filter(([field, after]) => (after ?? '') !== (before[field] ?? ''));
    // An unchanged justification applies to the new status as well, which may have none.
    const { justification } = control;
    const justified = cells.has('justification') && justification !== '' ? { justification } : {};
    const changes = changed.map(([field, after]): CellChange => {
      return { column: columnOf(field), before: cellOf(before[field]), after: cellOf(after) };
    });
    // Removed together with its status, if the table has no column for it.
    if (
      fields['status'] !== undefined &&
      fields['status'] !== 'NOT_APPLICABLE' &&
      cellOf(justification) !== null &&
      !cells.has('justification')
    )
      changes.push({ column: 'justification', before: justification, after: null });
    return { update: { ...justified, ...Object.fromEntries(changed) } as ControlChange, changes };
  }

  /**
   * The id of a row's owner, null for none; undefined if unchanged. The user name decides: an
   * id beside it may be left empty. The meaning of the cells does not depend on the present owner.
   */
  private async ownerOf(cells: Cells, { organizationId, owner }: OrganizationControlView) {
    const [id, name] = [cells.get(OWNER_ID)?.trim().toLowerCase(), cells.get(OWNER_NAME)];
    if (name === undefined) return id === undefined || id === (owner?.userId ?? '') ? undefined : id || null;
    const username = changedCell(name, owner?.username ?? '')?.trim();
    const ownerId = username === undefined ? (owner?.userId ?? null) : await this.idOf(organizationId, username);
    if (id && id !== ownerId) throw columnError(OWNER_NAME, `must be that of ${OWNER_ID}, which may be empty`);
    return username === undefined ? undefined : ownerId;
  }

  private async idOf(organizationId: number, username: string): Promise<string | null> {
    if (username === '') return null;
    const member = await memberNamed.first(this.database, { organizationId, username });
    if (member === undefined) throw columnError(OWNER_NAME, 'must be an active member of the organization');
    return member.id;
  }
}

/** The cells that differ from their export, as fields of a change. */
function saidOf(cells: Cells, control: OrganizationControlView): Record<string, unknown> {
  const said = Object.entries(WRITTEN).flatMap(([column, field]) => {
    const text = changedIn(cells, column, cellOf(control[field]) ?? '');
    return text === undefined ? [] : [[field, valueOf(field, text)] as const];
  });
  return Object.fromEntries(said);
}

function valueOf(field: Written, text: string): unknown {
  if (field === 'note' || field === 'inclusionReason') return text;
  const trimmed = text.trim();
  if (field === 'justification') return trimmed;
  if (field === 'reviewIntervalMonths' && /^-?\d{1,9}$/.test(trimmed)) return Number(trimmed);
  return trimmed === '' ? null : trimmed;
}

function changedIn(cells: Cells, column: string, exported: string): string | undefined {
  const cell = cells.get(column);
  return cell === undefined ? undefined : changedCell(cell, exported);
}

/** Whether a cell equals its export, with labels in any language. */
function isSame(cells: Cells, control: OrganizationControlView, name: (typeof FIXED)[number]): boolean {
  const { label, text, parentId, kind } = control;
  const texts = { label: [label], text: [text ?? ''], parent_id: [parentId ?? ''], kind: [kind] }[name];
  const translated = name === 'label' ? LANGUAGES.map((tag) => languageOf(tag).translated(label)) : [];
  return [...texts, ...translated].some((each) => changedIn(cells, name, each) === undefined);
}

function cellOf(value: unknown): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}

function columnOf(field: string): string {
  return field === 'ownerId' ? OWNER_ID : toSnakeCase(field);
}
