import { db, sql, statement, table } from '../../database/sql.js';
import type { GroupRole } from '../../entities/identity.js';
import type { Role } from '../../values/enums.js';
import type { FlowChecks, ProviderAccess, ProvenIdentity } from './provider-client.js';
import type { Sealer } from '../shared/sealer.js';

/** A provider with what a sign-in needs to know of it. */
export interface KnownProvider extends ProviderAccess {
  organizationId: number;
  organization: string;
  name: string;
  /** Proven ones. */
  domains: readonly string[];
  defaultRole: Role | null;
  groupRoles: readonly GroupRole[];
  redirectUris: readonly string[];
}

/** An application that wants to know who signs in. */
export interface Application {
  redirectUri: string;
  codeChallenge: string;
  /** Handed back as it came. */
  state: string | null;
}

/** The provider that a person was sent to. With another issuer or client it is another one, which has said nothing of the person. */
export type ProviderRef = Pick<KnownProvider, 'id' | 'issuer' | 'clientId'>;

/** State of a sign-in, which the browser keeps sealed while the person is at the provider. */
export interface PendingFlow extends FlowChecks {
  asked: ProviderRef;
  application: Application | null;
  /** Milliseconds since 1970. */
  until: number;
}

/** The same while a person who is linked to no user shows who it is. */
export interface PendingLink {
  asked: ProviderRef;
  identity: ProvenIdentity;
  application: Application | null;
  until: number;
}

const i = table('identity_provider', 'i');
const d = table('identity_domain', 'd');

/** By its id, by its name, or by a domain that was proven. */
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

/** Seals state for a cookie; `openFlow` returns undefined for what is not ours, or too old. */
export function sealFlow(sealer: Sealer, flow: PendingFlow | PendingLink): string {
  return sealer.seal(JSON.stringify(flow)).toString('base64url');
}

export function openFlow<Flow extends PendingFlow | PendingLink>(sealer: Sealer, sealed: string, now: Date) {
  const text = sealer.open(Buffer.from(sealed, 'base64url'));
  const flow = text === undefined ? undefined : (JSON.parse(text) as Flow);
  return flow !== undefined && flow.until > now.getTime() ? flow : undefined;
}
