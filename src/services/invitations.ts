import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { manages } from '../access/roles.js';
import type { Database } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { InvitationStatus } from '../vocabulary/invitation-statuses.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Role } from '../vocabulary/roles.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';

export interface InvitationQuery {
  page: PageRequest;
  status?: InvitationStatus | null;
}

/** An invitation, with what deciding about it takes. */
export interface ManagedInvitation {
  organizationId: number;
  role: Role;
  status: InvitationStatus;
  mailsSent: number;
}

/** What the caller may do with an invitation. */
export interface InvitationPermissions {
  resend: boolean;
  cancel: boolean;
}

const FROM = 'invitation i left join app_user u on u.id = i.invited_by_id';

const listing = new Listing<'CREATED'>({
  from: FROM,
  id: { sql: 'i.id', type: 'int' },
  parent: { sql: 'i.organization_id', type: 'int' },
  sorts: { CREATED: { sql: 'i.id', type: 'int' } },
});

const projection = new Projection(
  {
    id: 'i.id',
    email: 'i.email',
    role: 'i.role',
    invitedBy: 'u.username',
    mailsSent: 'cardinality(i.sent_at)',
    createdAt: 'i.created_at',
    expiresAt: 'i.expires_at',
    acceptedAt: 'i.accepted_at',
    closedAt: 'i.closed_at',
    organizationId: 'i.organization_id',
  },
  // What the status and the permissions are made of.
  ['id', 'organizationId', 'role', 'mailsSent', 'acceptedAt', 'closedAt', 'expiresAt'],
);

type InvitationRow = Omit<ManagedInvitation, 'status'> & {
  status?: InvitationStatus;
  acceptedAt: string | null;
  closedAt: string | null;
  expiresAt: string;
};

/** What is known of an organization's invitations (decisions §1); their secrets are known to nobody. */
export class InvitationService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Throws NOT_FOUND, or FORBIDDEN below rank 4. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'LIST_INVITATIONS', organizationId);
  }

  /** Invitations of each organization, newest first, in one statement. */
  async ofOrganizations(
    organizationIds: readonly number[],
    { page, status }: InvitationQuery,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    const pages = await listing.ofMany<InvitationRow, number>(this.database, organizationIds, {
      page,
      conditions: status == null ? [] : [this.isStatus(status)],
      sort: 'CREATED',
      descending: true,
      shape: projection.of(items),
      total,
    });
    for (const { rows } of pages.values()) this.tellStatus(rows);
    return pages;
  }

  /** One invitation; throws NOT_FOUND for another organization's. */
  async read(caller: Caller, organizationId: number, id: number, asked: Selection): Promise<object> {
    await this.authorizeList(caller, organizationId);
    return this.one(organizationId, id, asked);
  }

  /** Decides nothing: for the answer to a write. */
  async one(organizationId: number, id: number, asked: Selection): Promise<object> {
    const rows = await this.database.rows<InvitationRow>(
      `select ${projection.of(asked).select} from ${FROM} where i.organization_id = $1 and i.id = $2`,
      [organizationId, id],
    );
    if (rows.length === 0) throw notFound();
    this.tellStatus(rows);
    return rows[0] as object;
  }

  /** What `inviting.ts` would let this caller do. */
  async permissions(caller: Caller, invitation: ManagedInvitation): Promise<InvitationPermissions> {
    const { organizationId, role, status, mailsSent } = invitation;
    const isPending = status === 'OPEN' || status === 'EXPIRED';
    const may = isPending && (await this.access.allows(caller, 'MANAGE_MEMBERS', organizationId));
    const actor = may && caller.kind === 'user' ? await this.access.roleIn(caller, organizationId) : undefined;
    const cancel = may && (actor === undefined || manages(actor, role));
    return { cancel, resend: cancel && mailsSent < LIMITS.invitation.mails };
  }

  private tellStatus(rows: readonly InvitationRow[]): void {
    const now = this.now().toISOString();
    for (const row of rows) row.status = statusOf(row, now);
  }

  private isStatus(status: InvitationStatus): Condition {
    const now = this.now();
    const open = 'i.accepted_at is null and i.closed_at is null';
    if (status === 'ACCEPTED') return { sql: 'i.accepted_at is not null', values: [] };
    if (status === 'CANCELLED') return { sql: 'i.accepted_at is null and i.closed_at < i.expires_at', values: [] };
    if (status === 'OPEN') return { sql: `${open} and i.expires_at > ?`, values: [now] };
    return {
      sql: `i.accepted_at is null and (i.closed_at >= i.expires_at or (i.closed_at is null and i.expires_at <= ?))`,
      values: [now],
    };
  }
}

/** Instants as ISO 8601 in UTC, which compare as texts. What was closed after it had expired, has expired. */
function statusOf({ acceptedAt, closedAt, expiresAt }: InvitationRow, now: string): InvitationStatus {
  if (acceptedAt !== null) return 'ACCEPTED';
  if (closedAt !== null && closedAt < expiresAt) return 'CANCELLED';
  return closedAt !== null || expiresAt <= now ? 'EXPIRED' : 'OPEN';
}
