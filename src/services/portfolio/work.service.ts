import { dayOf, endOfDay } from '../../common/local-time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { roleHas } from '../../auth/roles.js';
import { isUuid } from '../../common/formats.js';
import type { ListSelection } from '../../common/selection.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { Projection } from '../../database/projection.js';
import { notFound } from '../../errors.js';
import type { Role, WorkAssignee, WorkKind } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { ReportDeadline } from '../incidents/incidents.service.js';
import { reachOf } from '../shared/accessible-organizations.js';
import { organizationColumns } from '../shared/organization-columns.js';
import type { OrganizationControlView } from '../workflows/controls.service.js';
import { dueControls, type DueControl } from '../workflows/due-controls.js';
import { type PortfolioDeps, reached } from './portfolio.service.js';

export interface WorkQuery {
  page: PageRequest;
  assignee: WorkAssignee;
  /** A user, instead of `assignee`. */
  assigneeId?: string | null;
  dueBefore?: Date | null;
  /** Restricts to this organization, possibly a sandbox; all except for sandboxes when absent. */
  organizationId?: number | null;
  kind?: WorkKind | null;
}

/** An item due at an instant. */
interface WorkItem {
  kind: WorkKind;
  /** Its sort position: due time, then kind and id. */
  key: string;
  title: string;
  dueAt: string;
  overdue: boolean;
  organization: object;
  control: OrganizationControlView | null;
  report: ReportDeadline | null;
}

/** Work items of all organizations of a caller, without sandboxes, or of one. */
export class WorkService {
  private readonly organizations: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: PortfolioDeps,
  ) {
    this.organizations = new Projection(undefined, organizationColumns(deps.publicUrl));
  }

  /** A page of items, earliest first, in at most four statements. Throws NOT_FOUND for an organization without access. */
  async list(
    caller: Caller,
    { page, assignee, assigneeId, dueBefore = null, organizationId = null, kind = null }: WorkQuery,
    { items }: ListSelection,
  ): Promise<Page<object>> {
    if (organizationId !== null) await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
    const user = this.access.authorizeToken(caller, 'read');
    const { catalogs, incidents, now } = this.deps;
    const shape = this.organizations.of(items.of('organization'));
    const reads = await this.database.longReads();
    if (assigneeId != null && !isUuid(assigneeId)) throw notFound();
    const ownerId = assigneeId?.toLowerCase() ?? (assignee === 'ME' ? user.userId : null);
    const found = await reached(shape).all(reads, {
      ...reachOf(user),
      ...{ userId: user.userId, assigneeId: ownerId, organizationId },
    });
    const organizations = new Map(found.map((organization) => [organization.id, organization]));
    const ids = [...organizations.keys()];
    const seesRoles = (role: Role) => ownerId === user.userId || roleHas(role, 'LIST_MEMBERS');
    const records = (role: Role | null) => role !== null && roleHas(role, 'EDIT_INCIDENTS');
    const handled = found
      .filter(({ $role, $assigneeRole }) => ownerId === null || (seesRoles($role) && records($assigneeRole)))
      .map(({ id }) => id);
    const kinds = DUE_KINDS.filter((each) => kind === null || kind === each);
    const query = {
      ...{ ownerId, kinds },
      // Days that end before it in some time zone; the exact ones are selected below.
      until: dueBefore && dayOf(dueBefore, 'UTC'),
      limit: LIMITS.portfolio.controls,
    };
    const at = now();
    const [controls, reports] = await Promise.all([
      kinds.length === 0 ? [] : dueControls(reads, catalogs, ids, query, at),
      incidents.dueReports(reads, kind === null || kind === 'REPORT' ? handled : [], items.of('report').of('incident')),
    ]);
    const work = [...controls.map((due) => ofControl(due, at)), ...[...reports.values()].flat().map(ofReport)]
      .filter(({ dueAt }) => dueBefore === null || Date.parse(dueAt) < dueBefore.getTime())
      .map(({ organizationId, ...item }) => ({ ...item, organization: organizations.get(organizationId) as object }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1));
    return pageOfItems<WorkItem, string>(work, 'text', ({ key }) => key, page);
  }
}

/** Kinds of work for controls. */
const DUE_KINDS = ['CONTROL', 'REVIEW'] as const;

type Located = Omit<WorkItem, 'organization'> & { organizationId: number };

/** Due dates and last days of evidence are days that end in the organization's time zone. */
function ofControl({ kind, day, control, timeZone }: DueControl, now: Date): Located {
  const { id, organizationId, label: title } = control;
  const dueAt = endOfDay(day, timeZone);
  const key = `${dueAt} ${kind} ${id}`;
  return { kind, key, title, dueAt, overdue: day < dayOf(now, timeZone), organizationId, control, report: null };
}

function ofReport(report: ReportDeadline): Located {
  const { incident, regimeId, stage, number, dueAt, state } = report;
  const { id, organizationId, title } = incident;
  const key = `${dueAt} REPORT ${id}/${regimeId}/${stage}/${number}`;
  return { kind: 'REPORT', key, title, dueAt, overdue: state === 'OVERDUE', organizationId, control: null, report };
}
