import type { ScimCaller } from '../../auth/caller.js';
import { assign, selectAll, type RowOf } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { unauthenticated } from '../../errors.js';
import { ROLE_RANKS, type Role } from '../../values/enums.js';

export type Settings = Omit<RowOf<'scim_settings'>, 'organizationId' | 'updatedAt'> & { updatedAt: string | null };

const DEFAULTS: Settings = Object.freeze({
  enabled: false,
  defaultRole: 'VIEWER',
  groupRoles: [],
  linkMembers: false,
  updatedAt: null,
  version: 1,
});

const find = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('scim_settings').select(selectAll('scim_settings')).where('organization_id', '=', p('organizationId')),
);

/** The settings of an organization, or the defaults. */
export async function settingsOf(database: Queryable, organizationId: number): Promise<Settings> {
  return (await find.first(database, { organizationId })) ?? DEFAULTS;
}

const lockToken = statement<{ organizationId: number; id: number; now: Date }>()((p) =>
  db
    .selectFrom('scim_token')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('id', '=', p('id'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now'))
    .forKeyShare(),
);

/**
 * Authorizes a change of a directory again, after waiting for the lock of the members; returns the settings. The token is
 * not revoked until the transaction ends. Throws UNAUTHENTICATED if it was, or SCIM was disabled.
 */
export async function authorizeDirectory(
  tx: Queryable,
  { tokenId, organizationId }: ScimCaller,
  now: Date,
): Promise<Settings> {
  const token = await lockToken.first(tx, { organizationId, id: tokenId, now });
  const settings = await settingsOf(tx, organizationId);
  if (token === undefined || !settings.enabled) throw unauthenticated();
  return settings;
}

const STORED = ['enabled', 'defaultRole', 'groupRoles', 'linkMembers', 'updatedAt'] as const;

/** The first change creates version 2. */
export const writeSettings = statement<{
  organizationId: number;
  enabled: boolean;
  defaultRole: Role;
  groupRoles: string;
  linkMembers: boolean;
  updatedAt: Date;
  version: number;
}>()((p) =>
  db
    .insertInto('scim_settings')
    .values(assign('scim_settings', p, ['organizationId', 'version', ...STORED]))
    .onConflict((clash) => clash.column('organization_id').doUpdateSet(assign('scim_settings', p, STORED))),
);

/** The maximum rank that a directory changes: that of managers only if the settings name that role. */
export function reachOf({ defaultRole, groupRoles }: Pick<Settings, 'defaultRole' | 'groupRoles'>): number {
  const roles: Role[] = ['SECURITY_OFFICER', defaultRole, ...groupRoles.map(({ role }) => role)];
  return Math.max(...roles.map((role) => ROLE_RANKS[role]));
}

/** The highest role of these groups, or the default. */
export function roleOf(
  { defaultRole, groupRoles }: Pick<Settings, 'defaultRole' | 'groupRoles'>,
  groupKeys: readonly string[],
): Role {
  const roles = groupRoles.filter(({ group }) => groupKeys.includes(group.toLowerCase())).map(({ role }) => role);
  return roles.sort((one, other) => ROLE_RANKS[other] - ROLE_RANKS[one])[0] ?? defaultRole;
}
