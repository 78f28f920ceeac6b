import type { Caller } from '../../auth/caller.js';
import { manages } from '../../auth/roles.js';
import { filter, Listing, type Condition, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { Foundation } from '../../infrastructure.js';
import type { InvitationStatus, Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { managingRole } from './ownership.js';

export interface InvitationQuery extends ListQuery<'CREATED'> {
  status?: InvitationStatus | null;
}

/** An invitation, with what deciding about it takes. */
export interface ManagedInvitation {
  organizationId: number;
  role: Role;
  status: InvitationStatus;
  mailsSent: number;
  acceptedAt: string | null;
  closedAt: string | null;
  expiresAt: string;
}

const i = table('invitation', 'i');
const u = table('app_user', 'u');

const listing = new Listing<ListQuery<'CREATED'>>({
  from: sql`${i.table} left join ${u.table} on ${u.id} = ${i.invited_by_id}`,
  id: { column: i.id, type: 'int' },
  parent: { column: i.organization_id, type: 'int' },
  sorts: { CREATED: { column: i.id, type: 'int' } },
  order: { field: 'CREATED', direction: 'DESC' },
});

const projection = new Projection(
  'Invitation',
  {
    ...properties(i, 'id', 'email', 'role'),
    status: { needs: {} },
    invitedBy: person(u.username),
    mailsSent: sql`cardinality(${i.sent_at})`,
    ...properties(i, 'created_at', 'expires_at', 'accepted_at', 'closed_at', 'organization_id'),
  },
  ['id', 'organizationId', 'role', 'mailsSent', 'acceptedAt', 'closedAt', 'expiresAt'],
);

const one = projected<{ organizationId: number | null; id: number }>()((p, { select }) =>
  db
    .selectFrom('invitation as i')
    .leftJoin('app_user as u', 'u.id', 'i.invited_by_id')
    .select(select)
    .where('i.id', '=', p('id'))
    .where(sql<boolean>`(${p('organizationId')}::int is null or ${i.organization_id} = ${p('organizationId')})`)
    .$castTo<ManagedInvitation>(),
);

/** Conditions on the status at a moment; what was closed after it had expired, has expired. */
const STATUSES: Readonly<Record<InvitationStatus, (values: { now: Date }) => Condition>> = {
  ACCEPTED: filter(() => sql`${i.accepted_at} is not null`),
  CANCELLED: filter(() => sql`${i.accepted_at} is null and ${i.closed_at} < ${i.expires_at}`),
  OPEN: filter((p) => sql`${i.accepted_at} is null and ${i.closed_at} is null and ${i.expires_at} > ${p('now')}`),
  EXPIRED: filter(
    (p) => sql`${i.accepted_at} is null
      and (${i.closed_at} >= ${i.expires_at} or (${i.closed_at} is null and ${i.expires_at} <= ${p('now')}))`,
  ),
};

/** Invitations of an organization, without their secrets. */
export class InvitationService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>) {}

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'LIST_INVITATIONS', organizationId);
  }

  /** Invitations of each organization, newest first, in one statement. */
  async ofOrganizations(
    organizationIds: readonly number[],
    { page, status }: InvitationQuery,
    selection: ListSelection,
  ) {
    const conditions = status == null ? [] : [STATUSES[status]({ now: this.deps.now() })];
    const request = { page, conditions, ...projection.list(selection) };
    const pages = await listing.ofMany<ManagedInvitation, number>(this.deps.database, organizationIds, request);
    for (const { rows } of pages.values()) this.setStatus(rows);
    return pages;
  }

  /** One invitation; throws NOT_FOUND for another organization's. */
  async read(caller: Caller, organizationId: number, id: number, selection: Selection): Promise<object> {
    await this.authorizeList(caller, organizationId);
    return this.one(organizationId, id, selection);
  }

  /** The same by its id alone: authorizes in the organization that has the invitation. */
  async find(caller: Caller, id: number, selection: Selection): Promise<object> {
    const invitation = await this.one(null, id, selection);
    await this.authorizeList(caller, invitation.organizationId);
    return invitation;
  }

  /** Decides nothing: for the answer to a write. */
  async one(organizationId: number | null, id: number, selection: Selection): Promise<ManagedInvitation> {
    const invitation = await one(projection.of(selection)).first(this.deps.database, { organizationId, id });
    if (invitation === undefined) throw notFound();
    this.setStatus([invitation]);
    return invitation;
  }

  /** Whether the caller may invite people, to some role. */
  mayInvite(caller: Caller, organizationId: number): Promise<boolean> {
    return this.deps.access.allows(caller, 'MANAGE_MEMBERS', organizationId);
  }

  /** What `invite.service.ts` would accept from this caller. */
  async permissions(caller: Caller, { organizationId, role, status, mailsSent }: ManagedInvitation) {
    const isPending = status === 'OPEN' || status === 'EXPIRED';
    const actor = isPending ? await managingRole(this.deps.access, caller, organizationId) : undefined;
    const cancel = actor !== undefined && manages(actor, role);
    return { cancel, resend: cancel && mailsSent < LIMITS.invitation.mails };
  }

  private setStatus(rows: readonly ManagedInvitation[]): void {
    const now = this.deps.now().toISOString();
    for (const row of rows) row.status = statusOf(row, now);
  }
}

/** Instants as ISO 8601 in UTC, which compare as texts. What was closed after it had expired, has expired. */
function statusOf({ acceptedAt, closedAt, expiresAt }: ManagedInvitation, now: string): InvitationStatus {
  if (acceptedAt !== null) return 'ACCEPTED';
  if (closedAt !== null && closedAt < expiresAt) return 'CANCELLED';
  return closedAt !== null || expiresAt <= now ? 'EXPIRED' : 'OPEN';
}
