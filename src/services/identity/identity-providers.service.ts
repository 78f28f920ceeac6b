import { randomBytes } from 'node:crypto';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { isTaken } from '../../database/driver-errors.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { conflict, found, inputError, refuseErrors, requireVersion, unavailable } from '../../errors.js';
import type { GroupRole } from '../../entities/identity.js';
import type { Role } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { changesBetween, record, withoutValues, type AuditFacts } from '../audit/record.js';
import type { Foundation } from '../foundation.js';
import { lockMembers } from '../members/members.service.js';
import { OrganizationLists } from '../shared/organization-records.js';
import * as statements from './provider-statements.js';
import type { ProviderKey, Stored } from './provider-statements.js';
import { Sealer } from '../shared/sealer.js';

export interface ProviderValues {
  name?: string | null;
  issuer?: string | null;
  clientId?: string | null;
  clientSecret?: string | null;
  domains?: readonly string[] | null;
  required?: boolean | null;
  defaultRole?: Role | null;
  groupsClaim?: string | null;
  groupRoles?: readonly GroupRole[] | null;
  redirectUris?: readonly string[] | null;
}

/** A provider, and the expected version; any version when null or absent. */
interface ChangedProvider extends ProviderKey {
  version?: number | null;
}

/** The text and the name of a TXT record. */
const RECORD_NAME = '_compliance-gateway';
const RECORD_TEXT = 'compliance-gateway-verification=';

const i = table('identity_provider', 'i');
const d = table('identity_domain', 'd');
const o = table('organization', 'o');

const FROM = sql`${i.table} join ${o.table} on ${o.id} = ${i.organization_id} and ${i.deleted_at} is null`;

const listing = new Listing<ListQuery<'CREATED'>>({
  from: FROM,
  ...orderedByKey(i.id, 'CREATED', 'ASC'),
  parent: { column: i.organization_id, type: 'bigint' },
});

const proofsAsJson = sql<object[]>`coalesce((
  select jsonb_agg(jsonb_build_object(
           'domain', ${d.domain}, 'status', case when ${d.verified_at} is null then 'PENDING' else 'VERIFIED' end,
           'recordName', ${sql.lit(`${RECORD_NAME}.`)} || ${d.domain},
           'recordText', ${sql.lit(RECORD_TEXT)} || ${d.challenge}) order by ${d.domain})
    from ${d.table} where ${d.provider_id} = ${i.id}), '[]')`;

const projection = new Projection(
  'IdentityProvider',
  {
    ...properties(i, 'id', 'name', 'issuer', 'client_id', 'default_role', 'groups_claim', 'group_roles'),
    ...properties(i, 'redirect_uris', 'created_at', 'updated_at', 'organization_id', 'version'),
    cursor: listing.place,
    hasSecret: sql`${i.client_secret} is not null`,
    required: sql`${o.required_provider_id} is not distinct from ${i.id}`,
    domains: sql`array(select ${d.domain} from ${d.table} where ${d.provider_id} = ${i.id} order by 1)`,
    domainProofs: proofsAsJson,
  },
  ['id', 'organizationId'],
);

type Deps = Pick<Foundation, 'database' | 'access' | 'config' | 'now' | 'resolveTxt' | 'outgoing'>;

/** The identity providers of organizations. Their settings decide who can sign in as whom: only owners manage them. */
export class IdentityProviderService extends OrganizationLists<{ id: number }, ListQuery<'CREATED'>> {
  private readonly sealer: Sealer;

  constructor(private readonly deps: Deps) {
    const parents = { organizationId: i.organization_id };
    const spec = { from: FROM, id: i.id, parents, projection, privilege: 'READ_IDENTITY_PROVIDERS' } as const;
    super(deps.database, deps.access, spec, listing);
    this.sealer = secretSealer(deps.config);
  }

  /** Throws NOT_FOUND, FORBIDDEN, or CONFLICT for a taken name and for too many. */
  async create(caller: Caller, organizationId: number, values: ProviderValues): Promise<number> {
    const now = await this.authorizeWrite(caller, organizationId);
    return this.deps.database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const { providers } = await statements.count.one(tx, { organizationId });
      if (providers >= LIMITS.signIn.providers) throw conflict('IDENTITY_PROVIDER_LIMIT');
      const stored = this.stored(undefined, values, now);
      const made = await statements.insert.first(tx, { ...stored, organizationId, createdAt: now });
      if (made === undefined) throw conflict('NAME_TAKEN');
      const { id } = made;
      const parts = await this.changeParts(tx, caller, { organizationId, id }, values);
      const changes = { ...shown(undefined, stored), ...parts };
      await this.record(tx, caller, { organizationId, id, name: stored.name }, 'IDENTITY_PROVIDER_CREATED', changes);
      return id;
    });
  }

  /**
   * Changes a provider; absent values stay. Earlier tokens remain valid, unless the issuer or the client changes. Throws
   * PRECONDITION_FAILED for another version.
   */
  async update(
    caller: Caller,
    { organizationId, id, version }: ChangedProvider,
    values: ProviderValues,
  ): Promise<void> {
    const now = await this.authorizeWrite(caller, organizationId);
    const ended = await this.deps.database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const before = found(await statements.lock.first(tx, { organizationId, id }));
      requireVersion(before, version);
      const stored = this.stored(before, values, now);
      const parts = await this.changeParts(tx, caller, { organizationId, id }, values);
      const changes = { ...shown(before, stored), ...parts };
      if (Object.keys(changes).length === 0) return [];
      await statements.write.all(tx, { ...stored, id }).catch(refuseTaken('NAME_TAKEN'));
      const isOther = stored.issuer !== before.issuer || stored.clientId !== before.clientId;
      const revoked = isOther ? await statements.revokeAll.all(tx, { id, now }) : [];
      const facts = isOther ? { ...changes, tokens: { before: revoked.length } } : changes;
      await this.record(tx, caller, { organizationId, id, name: stored.name }, 'IDENTITY_PROVIDER_UPDATED', facts);
      return revoked;
    });
    this.forget(organizationId, ended);
  }

  /** Revokes its tokens, and ends the requirement to use it. Throws PRECONDITION_FAILED for another version. */
  async delete(
    caller: Caller,
    { organizationId, id, version }: ChangedProvider,
    selection: Selection,
  ): Promise<object> {
    const now = await this.authorizeWrite(caller, organizationId);
    const { shownAs, ended } = await this.deps.database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const locked = found(await statements.lock.first(tx, { organizationId, id }));
      requireVersion(locked, version);
      const { name } = locked;
      const shownAs = await this.byId(id, selection, tx);
      const revoked = await statements.revokeAll.all(tx, { id, now });
      const changes = await this.changeParts(tx, caller, { organizationId, id }, NO_PARTS);
      await statements.remove.all(tx, { id, now });
      const facts = { ...changes, tokens: { before: revoked.length } };
      await this.record(tx, caller, { organizationId, id, name }, 'IDENTITY_PROVIDER_DELETED', facts);
      return { shownAs, ended: revoked };
    });
    this.forget(organizationId, ended);
    return shownAs;
  }

  /**
   * Looks up the TXT record of a domain. Throws CONFLICT if it is missing or the domain is verified for another provider,
   * UNAVAILABLE if the DNS does not answer, and PRECONDITION_FAILED for another version.
   */
  async verifyDomain(caller: Caller, { organizationId, id, version }: ChangedProvider, domain: string): Promise<void> {
    const now = await this.authorizeWrite(caller, organizationId);
    const name = domain.toLowerCase();
    const known = found(await statements.knownDomain.first(this.deps.database, { organizationId, id, domain: name }));
    requireVersion(known, version);
    if (known.verifiedAt !== null) return;
    const records = await this.deps.resolveTxt(`${RECORD_NAME}.${name}`).catch(noneIfAbsent);
    if (!records.some((parts) => parts.join('') === RECORD_TEXT + known.challenge)) throw conflict('DOMAIN_NOT_PROVEN');
    await this.deps.database.transaction(async (tx) => {
      const locked = found(await statements.lock.first(tx, { organizationId, id }));
      requireVersion(locked, version);
      // Another request may have verified the domain as well.
      const still = found(await statements.knownDomain.first(tx, { organizationId, id, domain: name }));
      if (still.verifiedAt !== null) return;
      // A domain that was removed and added again has another challenge.
      if (still.challenge !== known.challenge) throw conflict('DOMAIN_NOT_PROVEN');
      await statements.verifyDomain.all(tx, { id, domain: name, now }).catch(refuseTaken('DOMAIN_TAKEN'));
      const changes = { domain: { after: name } };
      await this.record(tx, caller, { organizationId, id, name: locked.name }, 'IDENTITY_DOMAIN_VERIFIED', changes);
    });
  }

  private async authorizeWrite(caller: Caller, organizationId: number): Promise<Date> {
    await this.deps.access.authorize(caller, 'MANAGE_IDENTITY_PROVIDERS', organizationId);
    return this.deps.now();
  }

  private stored(before: RowOf<'identity_provider'> | undefined, values: ProviderValues, updatedAt: Date): Stored {
    const { clientSecret: secret, issuer } = values;
    this.check(values, before);
    const given = values.groupRoles?.map(({ group, role }) => ({ group: group.trim(), role }));
    const clientSecret = secret === undefined ? (before?.clientSecret ?? null) : secret && this.sealer.seal(secret);
    return {
      name: (values.name ?? before?.name ?? '').toLowerCase(),
      issuer: issuer ?? before?.issuer ?? '',
      clientId: values.clientId?.trim() ?? before?.clientId ?? '',
      clientSecret: clientSecret === '' ? null : clientSecret,
      defaultRole: values.defaultRole === undefined ? (before?.defaultRole ?? null) : values.defaultRole,
      groupsClaim:
        values.groupsClaim === undefined ? (before?.groupsClaim ?? null) : values.groupsClaim?.trim() || null,
      groupRoles: JSON.stringify(given ?? before?.groupRoles ?? []),
      redirectUris: [...new Set(values.redirectUris ?? before?.redirectUris ?? [])],
      updatedAt,
    };
  }

  /** Throws BAD_USER_INPUT. The address of an issuer's host is checked at each sign-in. */
  private check(values: ProviderValues, before: RowOf<'identity_provider'> | undefined): void {
    const { issuer, clientSecret, name } = values;
    // For a new provider, null means none.
    const isNull = (field: (typeof NOT_NULL)[number]) => before !== undefined && values[field] === null;
    const isNew = issuer != null && issuer !== before?.issuer;
    const refusal = isNew ? this.deps.outgoing.refusalOf(issuer) : undefined;
    // The secret of one provider is never sent to another one.
    const lacksSecret = isNew && before?.clientSecret != null && clientSecret === undefined;
    const errors = [
      ...NOT_NULL.filter(isNull).map((field) => inputError(field, 'must not be null')),
      ...(name != null && !NAME.test(name) ? [inputError('name', 'must have letters, digits and hyphens only')] : []),
      ...(isNew && /[?#]/.test(issuer) ? [inputError('issuer', 'must have neither a query nor a fragment')] : []),
      ...(refusal === undefined ? [] : [inputError('issuer', refusal)]),
      ...(lacksSecret ? [inputError('clientSecret', 'is required with another issuer')] : []),
    ];
    refuseErrors(errors);
  }

  /** Domains, and whether it is required: values outside of its own row. */
  private async changeParts(
    tx: Queryable,
    caller: Caller,
    { organizationId, id }: ProviderKey,
    values: ProviderValues,
  ) {
    const changes: Record<string, { before?: unknown; after?: unknown }> = {};
    const { domains, required } = values;
    if (domains != null) {
      const wanted = [...new Set(domains.map((domain) => domain.toLowerCase()))].sort();
      const before = (await statements.domainsOf.all(tx, { id })).map(({ domain }) => domain);
      await statements.dropDomains.all(tx, { id, remaining: wanted });
      for (const domain of wanted.filter((each) => !before.includes(each))) {
        await statements.addDomain.all(tx, { id, organizationId, domain, challenge: randomBytes(20).toString('hex') });
      }
      Object.assign(changes, changesBetween({ domains: before }, { domains: wanted }));
    }
    if (required != null) {
      const { requiredProviderId } = await statements.requirement.one(tx, { organizationId });
      const before = requiredProviderId === id;
      if (before !== required) {
        // One is required at a time: it replaces the other.
        const replaced = required ? requiredProviderId : null;
        if (replaced !== null) {
          const other = found(await statements.lock.first(tx, { organizationId, id: replaced }));
          await this.record(tx, caller, other, 'IDENTITY_PROVIDER_UPDATED', {
            required: { before: true, after: false },
          });
        }
        await statements.require.all(tx, { organizationId, providerId: required ? id : null });
        changes['required'] = { before, after: required };
      }
    }
    return changes;
  }

  private record(
    tx: Queryable,
    caller: Caller,
    { organizationId, id, name }: ProviderKey & { name: string },
    action: AuditFacts['action'],
    changes: AuditFacts['changes'],
  ): Promise<void> {
    const subject = { type: 'IDENTITY_PROVIDER', id, name } as const;
    return record(tx, caller, { organizationId, action, at: this.deps.now(), subject, changes });
  }

  /** Invalidates this instance's cache without waiting for the database's notification. */
  private forget(organizationId: number, ended: readonly { digest: string }[]): void {
    const { cache } = this.deps.access;
    cache.announced(`o:${organizationId}`);
    for (const { digest } of ended) cache.announced(`t:${digest}`);
  }
}

/** The name does not exist, has no such record, or cannot be a name. Anything else is a failure of the DNS. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

function noneIfAbsent(cause: NodeJS.ErrnoException): string[][] {
  if (ABSENT.has(cause.code)) return [];
  throw unavailable(undefined, { service: 'dns', cause });
}

/** Two organizations may take one value at the same time, which no check before the change detects. */
function refuseTaken(reason: 'NAME_TAKEN' | 'DOMAIN_TAKEN') {
  return (error: unknown): never => {
    throw isTaken(error) ? conflict(reason) : error;
  };
}

export function secretSealer({ secretKey, earlierSecretKeys }: Foundation['config']): Sealer {
  return new Sealer('identity provider secret', secretKey, earlierSecretKeys);
}

/** Value of a disconnected one. */
const NO_PARTS = { required: false, domains: [] };

/** Values that an update cannot remove by null. */
const NOT_NULL = ['domains', 'groupRoles', 'redirectUris', 'required'] as const;

const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Values for the trail: the secret only as changed. */
function shown(before: RowOf<'identity_provider'> | undefined, stored: Stored) {
  const fields = ['name', 'issuer', 'clientId', 'defaultRole', 'groupsClaim', 'redirectUris', 'clientSecret'] as const;
  const values = (row: Pick<Stored, (typeof fields)[number]> | undefined) =>
    Object.fromEntries(fields.map((field) => [field, row?.[field]]));
  const groups = { groupRoles: JSON.parse(stored.groupRoles) as unknown };
  const changes = changesBetween({ ...values(before), groupRoles: before?.groupRoles }, {
    ...values(stored),
    ...groups,
  } as Record<string, unknown>);
  return withoutValues(changes, 'clientSecret');
}
