import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { manages } from '../access/roles.js';
import { digestToken, isWellFormedInvitationSecret } from '../access/token.js';
import type { Database, Queryable } from '../database/database.js';
import { conflict, notFound } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Role } from '../vocabulary/roles.js';
import { notify } from './notifier.js';
import { lockMembers } from './ownership.js';
import { NO_QUOTAS, refuseMoreMembers, refuseMoreOrganizations, type Quotas } from './quotas.js';
import { roleName } from './role-names.js';
import { issueToken } from './token-minting.js';
import { newUser, userByEmail, type InvitedUser } from './new-user.js';

export interface AcceptInvitation {
  /** Of the newest mail. */
  secret: string;
  /** Of a new user; one that exists keeps its own. */
  firstName?: string | null;
  lastName?: string | null;
}

/** What has come of an invitation. */
export interface Acceptance {
  organizationId: number;
  organization: string;
  userId: string;
  username: string;
  email: string;
  role: Role;
  /** The first token of a new user, shown here once; null for one that exists, who has its own. */
  token: string | null;
  tokenExpiresAt: Date | null;
}

/** What an open invitation says to the person who holds its secret. */
export interface InvitationPreview {
  organization: string;
  /** Full name of the member who sent the newest mail, or the user name where there is none. */
  inviter: string;
  email: string;
  role: Role;
  expiresAt: Date;
}

interface InvitationRow extends InvitationPreview {
  id: number;
  organizationId: number;
  inviterRole: Role | null;
}

/** Good only while whoever answers for it could still make it: rights that were taken away do not live on in a mailbox. */
const FIND = `
  select i.id, i.organization_id as "organizationId", o.name as organization, i.email, i.role,
         i.expires_at as "expiresAt", m.role as "inviterRole",
         coalesce(nullif(trim(concat(u.first_name, ' ', u.last_name)), ''), u.username) as inviter
    from invitation i
    join organization o on o.id = i.organization_id and o.deleted_at is null
    left join app_user u on u.id = i.invited_by_id and u.deactivated_at is null
    left join membership m on m.organization_id = o.id and m.user_id = u.id and m.deactivated_at is null
   where i.digest = $1 and i.accepted_at is null and i.closed_at is null and i.expires_at > $2`;

const DAY = 24 * 60 * 60 * 1000;

/** Exchanges the secret of an invitation for a membership and, for a new user, a first token (decisions §1). */
export class InvitationAcceptanceService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date = () => new Date(),
    private readonly quotas: Quotas = NO_QUOTAS,
  ) {}

  /**
   * Open to the anonymous: the secret is what lets one in. A caller with a token accepts for itself or not at all. A
   * secret that is malformed, unknown, replaced, used, expired or cancelled, or not for this caller, is NOT_FOUND, and
   * nothing tells which. CONFLICT when the user is a member already, or a quota does not allow it.
   */
  async accept(caller: Caller, request: AcceptInvitation): Promise<Acceptance> {
    const self = caller.kind === 'user' ? this.access.authorizeSelf(caller, 'write').userId : undefined;
    if (!isWellFormedInvitationSecret(request.secret)) throw notFound();
    const digest = digestToken(request.secret);
    const accepted = await this.database.transaction(async (tx) => {
      const { organizationId } = await this.find(tx, digest);
      await lockMembers(tx, organizationId);
      // Again, now that nobody else changes it: of two who accept at once, one finds nothing any more.
      const invitation = await this.find(tx, digest);
      const known = await userByEmail(tx, invitation.email);
      if (self !== undefined && known?.id !== self) throw notFound();
      const user = known ?? (await newUser(tx, { ...request, email: invitation.email, createdAt: this.now() }));
      if (!user.active) throw notFound();
      return this.join(tx, invitation, user);
    });
    this.access.cache.announced(`m:${accepted.userId}:${accepted.organizationId}`);
    return accepted;
  }

  /**
   * What the invitation of this secret offers; it stays as it is. Open to callers without a token, like `accept`. Every
   * secret that `accept` does not find is NOT_FOUND here as well.
   */
  async preview(secret: string): Promise<InvitationPreview> {
    if (!isWellFormedInvitationSecret(secret)) throw notFound();
    return this.find(this.database, digestToken(secret));
  }

  private async find(tx: Queryable, digest: string): Promise<InvitationRow> {
    const [row] = await tx.rows<InvitationRow>(FIND, [digest, this.now()]);
    if (row === undefined || row.inviterRole === null || !manages(row.inviterRole, row.role)) throw notFound();
    return row;
  }

  private async join(tx: Queryable, invitation: InvitationRow, user: InvitedUser): Promise<Acceptance> {
    const { id, organizationId, organization, email, role } = invitation;
    const now = this.now();
    await refuseMoreMembers(tx, organizationId, this.quotas);
    if (role === 'ORGANIZATION_OWNER') await refuseMoreOrganizations(tx, user.id, this.quotas);
    const joined = await tx.rows(
      `insert into membership (organization_id, user_id, role, created_at) values ($1, $2, $3, $4)
       on conflict (organization_id, user_id) do nothing returning id`,
      [organizationId, user.id, role, now],
    );
    if (joined.length === 0) throw conflict();
    await tx.rows('update invitation set accepted_at = $2 where id = $1', [id, now]);
    await tx.rows('update app_user set email_verified_at = coalesce(email_verified_at, $2) where id = $1', [
      user.id,
      now,
    ]);
    const tokenExpiresAt = user.isNew ? new Date(now.getTime() + LIMITS.token.defaultDays * DAY) : null;
    const token = tokenExpiresAt === null ? null : await this.firstToken(tx, user.id, now, tokenExpiresAt);
    await notify(tx, {
      organizationId,
      type: 'MEMBER',
      at: now,
      title: 'A member has joined',
      message: `${user.username} has accepted the invitation and is ${roleName(role)} of the organization now.`,
      href: `/organizations/${organizationId}/users`,
      to: { privilege: 'MANAGE_MEMBERS' },
      except: user.id,
    });
    const { id: userId, username } = user;
    return { organizationId, organization, userId, username, email, role, token, tokenExpiresAt };
  }

  private async firstToken(tx: Queryable, userId: string, createdAt: Date, expiresAt: Date): Promise<string> {
    const facts = { userId, name: 'First token', scopes: ['read', 'write'] as const, createdAt, expiresAt };
    return (await issueToken(tx, facts)).token;
  }
}
