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
  /** Of this organization alone, also of a sandbox; of all but sandboxes when absent. */
  organizationId?: number | null;
  kind?: WorkKind | null;
}

/** Something that is to be done by an instant. */
interface WorkItem {
  kind: WorkKind;
  /** Its place in the list: when it is due, then what it is. */
  key: string;
  title: string;
  dueAt: string;
  overdue: boolean;
  organization: object;
  control: OrganizationControlView | null;
  report: ReportDeadline | null;
}

/** Work items of all organizations of a caller, sandboxes left out, or of one. */
export class WorkService {
  private readonly organizations: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly deps: PortfolioDeps,
  ) {
    this.organizations = new Projection(undefined, organizationColumns(deps.publicUrl));
  }

  /** A page of it, the earliest first, in at most four statements. Throws NOT_FOUND for an organization of others. */
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
      // Of the days that end before it somewhere; which ones do is decided below.
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

/** Kinds of work that controls are due for. */
const DUE_KINDS = ['CONTROL', 'REVIEW'] as const;

type Located = Omit<WorkItem, 'organization'> & { organizationId: number };

/** A due date is a day, and so is the last day of evidence: both end where the organization is. */
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
