import { db, sql, statement, table } from '../../database/sql.js';
import type { GroupRole } from '../../entities/identity.js';
import type { Role } from '../../values/enums.js';
import type { FlowChecks, ProviderAccess, ProvenIdentity } from './provider-client.js';
import type { Sealer } from '../shared/sealer.js';

/** A provider with the settings that a sign-in needs. */
export interface KnownProvider extends ProviderAccess {
  organizationId: number;
  organization: string;
  name: string;
  /** Verified ones. */
  domains: readonly string[];
  defaultRole: Role | null;
  groupRoles: readonly GroupRole[];
  redirectUris: readonly string[];
}

/** An application that requests a sign-in. */
export interface Application {
  redirectUri: string;
  codeChallenge: string;
  /** Returned unchanged. */
  state: string | null;
}

/** The provider that a person was sent to. With another issuer or client it counts as another provider. */
export type ProviderRef = Pick<KnownProvider, 'id' | 'issuer' | 'clientId'>;

/** State of a sign-in, sealed in a cookie while the person is at the provider. */
export interface PendingFlow extends FlowChecks {
  asked: ProviderRef;
  application: Application | null;
  /** Milliseconds since 1970. */
  until: number;
}

/** The same while an unlinked person proves its account. */
export interface PendingLink {
  asked: ProviderRef;
  identity: ProvenIdentity;
  application: Application | null;
  until: number;
}

const i = table('identity_provider', 'i');
const d = table('identity_domain', 'd');

/** By its id, its name, or a verified domain. */
export const findProvider = statement<{ id: number | null; name: string | null; domain: string | null }>()((p) =>
  db
    .selectFrom('identity_provider as i')
    .innerJoin('organization as o', (join) =>
      join.onRef('o.id', '=', 'i.organization_id').on('o.deleted_at', 'is', null),
    )
    .select(['i.id', 'i.issuer', 'i.client_id as clientId', 'i.client_secret as sealedSecret', 'i.name'])
    .select(['i.groups_claim as groupsClaim', 'i.updated_at as updatedAt', 'i.organization_id as organizationId'])
    .select(['o.name as organization', 'i.default_role as defaultRole', 'i.group_roles as groupRoles'])
    .select('i.redirect_uris as redirectUris')
    .select(
      sql<
        string[]
      >`array(select ${d.domain} from ${d.table} where ${d.provider_id} = ${i.id} and ${d.verified_at} is not null)`.as(
        'domains',
      ),
    )
    .where('i.deleted_at', 'is', null)
    .where(
      sql<boolean>`(${i.id} = ${p('id')}::bigint or ${i.name} = ${p('name')}::text or exists (
        select from ${d.table} where ${d.provider_id} = ${i.id} and ${d.domain} = ${p('domain')}::text and ${d.verified_at} is not null))`,
    )
    .orderBy('i.id')
    .limit(1),
);

export type ProviderRow = Awaited<ReturnType<typeof findProvider.one>>;

/** Seals state for a cookie; `openFlow` returns undefined for invalid or expired state. */
export function sealFlow(sealer: Sealer, flow: PendingFlow | PendingLink): string {
  return sealer.seal(JSON.stringify(flow)).toString('base64url');
}

export function openFlow<Flow extends PendingFlow | PendingLink>(sealer: Sealer, sealed: string, now: Date) {
  const text = sealer.open(Buffer.from(sealed, 'base64url'));
  const flow = text === undefined ? undefined : (JSON.parse(text) as Flow);
  return flow !== undefined && flow.until > now.getTime() ? flow : undefined;
}
