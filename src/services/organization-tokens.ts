import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { Listing } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { notify } from './notifier.js';
import { ACTIVE_MEMBER } from './reach.js';

export interface OrganizationTokenKey {
  organizationId: number;
  /** The token's own id. */
  id: number;
}

const FROM = `membership m
  join api_token t on t.user_id = m.user_id
  join app_user u on u.id = m.user_id and u.deactivated_at is null
  left join token_block b on b.token_id = t.id and b.organization_id = m.organization_id`;
const LIVE = 't.revoked_at is null';

const listing = new Listing<'CREATED'>({
  from: FROM,
  where: [ACTIVE_MEMBER, LIVE],
  id: { sql: 't.id', type: 'int' },
  parent: { sql: 'm.organization_id', type: 'int' },
  sorts: { CREATED: { sql: 't.id', type: 'int' } },
});

const projection = new Projection({
  id: `m.organization_id || ':' || t.id`,
  tokenId: 't.id',
  userId: 'u.id',
  username: 'u.username',
  name: 't.name',
  prefix: 't.prefix',
  scopes: 't.scopes',
  createdAt: 't.created_at',
  expiresAt: 't.expires_at',
  lastUsedAt: 't.last_used_at',
  blockedAt: 'b.created_at',
});

/** Tokens of members, as their organizations see them: which may act there, and which may no longer (docs/adr/0009). */
export class OrganizationTokenService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Throws NOT_FOUND, or FORBIDDEN for who is no owner. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'LIST_TOKENS', organizationId);
  }

  /** Tokens that have not ended, of members that have access; newest first, in one statement. */
  async ofOrganizations(
    organizationIds: readonly number[],
    page: PageRequest,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    return listing.ofMany<object, number>(this.database, organizationIds, {
      page,
      conditions: [{ sql: 't.expires_at > ?', values: [this.now()] }],
      sort: 'CREATED',
      descending: true,
      shape: projection.of(items),
      total,
    });
  }

  /**
   * Blocks a member's token in this organization, and there only: what it does elsewhere is not this owner's to decide.
   * Blocking it again changes nothing. Throws NOT_FOUND for what is not in the list.
   */
  async block(caller: Caller, { organizationId, id }: OrganizationTokenKey, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'BLOCK_TOKENS', organizationId);
    const { digest, blocked } = await this.database.transaction(async (tx) => {
      const [token] = await tx.rows<{ digest: string; userId: string; name: string; prefix: string }>(
        `select t.digest, t.user_id as "userId", t.name, t.prefix from ${FROM}
          where m.organization_id = $1 and t.id = $2 and ${ACTIVE_MEMBER} and ${LIVE} and t.expires_at > $3
            for key share of t`,
        [organizationId, id, this.now()],
      );
      if (token === undefined) throw notFound();
      const made = await tx.rows(
        `insert into token_block (token_id, organization_id, created_at) values ($1, $2, $3)
         on conflict (token_id, organization_id) do nothing returning id`,
        [id, organizationId, this.now()],
      );
      const [row] = await tx.rows(
        `select ${projection.of(asked).select} from ${FROM} where m.organization_id = $1 and t.id = $2`,
        [organizationId, id],
      );
      if (made.length > 0) {
        await notify(tx, {
          organizationId,
          type: 'TOKEN',
          at: this.now(),
          title: 'A token of yours was blocked',
          message: `An owner has blocked your token "${token.name}" (${token.prefix}…) in this organization.`,
          href: '/tokens',
          to: { users: [token.userId] },
          except: caller.kind === 'user' ? caller.userId : undefined,
        });
      }
      return { digest: token.digest, blocked: row as object };
    });
    // This instance need not wait for the database to announce it.
    this.access.cache.announced(`t:${digest}`);
    return blocked;
  }
}
