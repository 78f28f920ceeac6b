import { assign, selectAll, type RowOf } from '../../database/columns.js';
import { db, sql, statement } from '../../database/sql.js';

export interface ProviderKey {
  organizationId: number;
  id: number;
}

export const lock = statement<ProviderKey>()((p) =>
  db
    .selectFrom('identity_provider')
    .select(selectAll('identity_provider'))
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organizationId'))
    .where('deleted_at', 'is', null)
    .forUpdate(),
);

export const count = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('identity_provider')
    .select((eb) => eb.fn.countAll<number>().as('providers'))
    .where('organization_id', '=', p('organizationId'))
    .where('deleted_at', 'is', null),
);

const STORED = [
  ...(['name', 'issuer', 'clientId', 'clientSecret', 'defaultRole', 'groupsClaim'] as const),
  ...(['groupRoles', 'redirectUris', 'updatedAt'] as const),
];

/** Written columns of a provider. */
export type Stored = Omit<Pick<RowOf<'identity_provider'>, (typeof STORED)[number]>, 'updatedAt' | 'groupRoles'> & {
  updatedAt: Date;
  groupRoles: string;
};

export const insert = statement<Stored & { organizationId: number; createdAt: Date }>()((p) =>
  db
    .insertInto('identity_provider')
    .values({ ...assign('identity_provider', p, [...STORED, 'organizationId', 'createdAt']) })
    .onConflict((clash) => clash.doNothing())
    .returning('id'),
);

export const write = statement<Stored & { id: number }>()((p) =>
  db
    .updateTable('identity_provider')
    .set(assign('identity_provider', p, STORED))
    .where('id', '=', p('id')),
);

export const domainsOf = statement<{ id: number }>()((p) =>
  db.selectFrom('identity_domain').select('domain').where('provider_id', '=', p('id')).orderBy('domain'),
);

export const knownDomain = statement<ProviderKey & { domain: string }>()((p) =>
  db
    .selectFrom('identity_domain as d')
    .innerJoin('identity_provider as i', 'i.id', 'd.provider_id')
    .select(['d.challenge', 'd.verified_at as verifiedAt', 'i.version'])
    .where('d.provider_id', '=', p('id'))
    .where('i.organization_id', '=', p('organizationId'))
    .where('i.deleted_at', 'is', null)
    .where('d.domain', '=', p('domain')),
);

export const addDomain = statement<{ id: number; organizationId: number; domain: string; challenge: string }>()((p) =>
  db.insertInto('identity_domain').values({
    ...{ provider_id: p('id'), organization_id: p('organizationId'), domain: p('domain'), challenge: p('challenge') },
  }),
);

export const dropDomains = statement<{ id: number; remaining: readonly string[] }>()((p) =>
  db
    .deleteFrom('identity_domain')
    .where('provider_id', '=', p('id'))
    .where(sql<boolean>`domain <> all(${p('remaining')}::text[])`),
);

export const verifyDomain = statement<{ id: number; domain: string; now: Date }>()((p) =>
  db
    .updateTable('identity_domain')
    .set({ verified_at: p('now') })
    .where('provider_id', '=', p('id'))
    .where('domain', '=', p('domain')),
);

export const requirement = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('organization')
    .select('required_provider_id as requiredProviderId')
    .where('id', '=', p('organizationId')),
);

export const require = statement<{ organizationId: number; providerId: number | null }>()((p) =>
  db
    .updateTable('organization')
    .set({ required_provider_id: p('providerId') })
    .where('id', '=', p('organizationId')),
);

/** The tokens of its sign-ins that have not expired, and the codes for more of them. */
export const revokeAll = statement<{ id: number; now: Date }>()((p) =>
  db
    .with('codes', (eb) => eb.deleteFrom('sign_in_code').where('provider_id', '=', p('id')))
    .updateTable('api_token')
    .set({ revoked_at: p('now') })
    .where('provider_id', '=', p('id'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now'))
    .returning('digest'),
);

export const remove = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('identity_provider')
    .set({ deleted_at: p('now'), client_secret: null })
    .where('id', '=', p('id')),
);
