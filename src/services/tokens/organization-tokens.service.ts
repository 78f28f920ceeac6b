import type { Caller } from '../../auth/caller.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import type { PageRequest } from '../../database/cursor.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type Placeholders } from '../../database/sql.js';
import { found, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { record } from '../audit/record.js';
import { tokenSubject } from '../audit/subjects.js';
import { lockOfToken } from '../webhooks/endpoint-statements.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';
import { ACCOUNT, RESPONSIBLE, type AccountOfToken } from './accounts-of-tokens.js';

export interface OrganizationTokenKey {
  organizationId: number;
  /** The token's own id. */
  id: number;
}

const m = table('membership', 'm');
const t = table('api_token', 't');
const u = table('app_user', 'u');
const b = table('token_block', 'b');
const ip = table('identity_provider', 'ip');

const FROM = sql`${m.table}
  join ${t.table} on ${t.user_id} = ${m.user_id}
  join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
  left join ${ip.table} on ${ip.id} = ${t.provider_id} and ${ip.organization_id} = ${m.organization_id}
  left join ${b.table} on ${b.token_id} = ${t.id} and ${b.organization_id} = ${m.organization_id}`;
/** A token of a sign-in has access to its provider's organization only, and the provider's name. */
const LIVE = sql`${t.revoked_at} is null and (${t.provider_id} is null or ${ip.id} is not null)`;
/** A block lasts as long as its organization, so that the sum never decreases. Other blocks are not visible here. */
const VERSION = sql<number>`${t.version} + (${b.id} is not null)::int`;

const listing = new Listing<ListQuery<'CREATED'>>({
  from: FROM,
  where: [ACTIVE_MEMBER, LIVE],
  ...orderedByKey(t.id, 'CREATED', 'DESC'),
  parent: { column: m.organization_id, type: 'bigint' },
});

const projection = new Projection('OrganizationApiToken', {
  id: sql`${m.organization_id} || '/' || ${t.id}`,
  tokenId: t.id,
  userId: u.id,
  username: u.username,
  member: { needs: { organizationId: m.organization_id, userId: u.id } },
  ...properties(t, 'name', 'prefix', 'scopes', 'created_at', 'expires_at', 'last_used_at'),
  version: VERSION,
  blockedAt: b.created_at,
  viewerCan: { needs: { organizationId: m.organization_id, blockedAt: b.created_at } },
  history: { needs: { organizationId: m.organization_id, tokenId: t.id } },
});

const isNotExpired = filter<{ now: Date }>((p) => sql`${t.expires_at} > ${p('now')}`);

type Key = OrganizationTokenKey & { now: Date };

/** A token with access to its organization now. */
const acting = (p: Placeholders<Key>) => sql`${FROM}
  where ${m.organization_id} = ${p('organizationId')} and ${t.id} = ${p('id')}
    and ${ACTIVE_MEMBER} and ${LIVE} and ${t.expires_at} > ${p('now')}`;

const FACTS = sql`${t.digest}, ${t.user_id} as "userId", ${t.name}, ${t.prefix}, ${ACCOUNT} as account, ${RESPONSIBLE} as responsible`;

interface TokenFacts extends AccountOfToken {
  digest: string;
  userId: string;
  name: string;
  prefix: string;
}

const lock = statement<Key>()((p) => sql<TokenFacts>`select ${FACTS} from ${acting(p)} for key share of t`);

/** Serializes changes of a version with each other and with those of the token. */
const lockVersion = statement<Key>()((p) => sql<TokenFacts>`select ${FACTS} from ${acting(p)} for no key update of t`);

const one = projected<Key>()((p, { select }) => sql<object>`select ${sql.join(select)} from ${acting(p)}`);

const some = projected<{ organizationIds: readonly number[]; ids: readonly number[]; now: Date }>()(
  (p, { select }) => sql<{ $key: string }>`
    select ${m.organization_id} || '/' || ${t.id} as "$key", ${sql.join(select)}
      from unnest(${p('organizationIds')}::bigint[], ${p('ids')}::bigint[]) as wanted(organization_id, id)
      join (${FROM}) on ${m.organization_id} = wanted.organization_id and ${t.id} = wanted.id
     where ${ACTIVE_MEMBER} and ${LIVE} and ${t.expires_at} > ${p('now')}`,
);

const versionOf = statement<Key>()((p) => sql<{ version: number }>`select ${VERSION} as version from ${acting(p)}`);

const block = statement<Key>()((p) =>
  db
    .insertInto('token_block')
    .values({ token_id: p('id'), organization_id: p('organizationId'), created_at: p('now') })
    .onConflict((conflict) => conflict.columns(['token_id', 'organization_id']).doNothing())
    .returning('id'),
);

/** Tokens of members as seen by their organizations: active and blocked ones (docs/adr/0009). */
export class OrganizationTokenService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>) {}

  /** Throws NOT_FOUND, or FORBIDDEN unless the caller is an owner. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.deps.access.authorize(caller, 'LIST_TOKENS', organizationId);
  }

  /** Tokens that have not ended, of active members; newest first, in one statement. */
  async ofOrganizations(organizationIds: readonly number[], page: PageRequest, selection: ListSelection) {
    const conditions = [isNotExpired({ now: this.deps.now() })];
    const request = { page, conditions, ...projection.list(selection) };
    return listing.ofMany<object, number>(this.deps.database, organizationIds, request);
  }

  /** One of them; throws NOT_FOUND, or FORBIDDEN. */
  async read(caller: Caller, key: OrganizationTokenKey, selection: Selection): Promise<object> {
    await this.authorizeList(caller, key.organizationId);
    return found(await one(projection.of(selection)).first(this.deps.database, { ...key, now: this.deps.now() }));
  }

  /** Tokens by keys such as `1/12`, in one statement. The lists of the organizations were authorized. */
  async ofKeys(keys: readonly string[], selection: Selection): Promise<Map<string, object>> {
    const parts = keys.map((key) => key.split('/').map(Number));
    const rows = await some(projection.of(selection)).all(this.deps.database, {
      organizationIds: parts.map(([organizationId]) => organizationId as number),
      ids: parts.map(([, id]) => id as number),
      now: this.deps.now(),
    });
    return new Map(rows.map((row) => [row.$key, row]));
  }

  /**
   * Blocks a member's token in this organization only: its use elsewhere is not this owner's decision.
   * Idempotent. Throws NOT_FOUND for a token that is not in the list, and PRECONDITION_FAILED for another
   * version.
   */
  async block(
    caller: Caller,
    { organizationId, id, version }: OrganizationTokenKey & { version?: number | null },
    selection: Selection,
  ): Promise<object> {
    await this.deps.access.authorize(caller, 'BLOCK_TOKENS', organizationId);
    const { token, blocked } = await this.deps.database.transaction(async (tx) => {
      const key = { organizationId, id, now: this.deps.now() };
      const token = found(await (version == null ? lock : lockVersion).first(tx, key));
      // A separate statement, which sees rows committed while the lock was waited for.
      if (version != null) requireVersion(found(await versionOf.first(tx, key)), version);
      await lockOfToken.all(tx, { tokenId: id });
      const made = await block.first(tx, key);
      // Ended in the meantime: without a version, the lock prevents removal of the token, but not revocation or leaving.
      const blocked = found(await one(projection.of(selection)).first(tx, key));
      if (made !== undefined) {
        const { userId, prefix, account, responsible } = token;
        const changes = {
          ...{ user: { after: userId }, prefix: { after: prefix } },
          ...(account !== null && { responsible: { after: responsible } }),
        };
        const subject = tokenSubject({ ...token, id });
        await record(tx, caller, { organizationId, action: 'TOKEN_BLOCKED', at: key.now, subject, changes });
      }
      return { token, blocked };
    });
    // Invalidates this instance's cache without waiting for the database's notification.
    this.deps.access.cache.announced(`t:${token.digest}`);
    return blocked;
  }

  /** Whether this caller may `block` the token, which is not blocked yet. */
  async permissions(caller: Caller, token: { organizationId: number; blockedAt: string | null }) {
    const { organizationId, blockedAt } = token;
    return { block: blockedAt === null && (await this.deps.access.allows(caller, 'BLOCK_TOKENS', organizationId)) };
  }
}
