import type { Access } from '../../auth/access.js';
import { userOf, type Caller, type UserCaller } from '../../auth/caller.js';
import { FOR_PERSONS, PRIVILEGES, privilegesOf, type Privilege } from '../../auth/roles.js';
import { found } from '../../errors.js';
import type { Role } from '../../values/enums.js';

/** Privileges of callers in organizations. */
export class PrivilegeService {
  constructor(private readonly access: Access) {}

  /** The caller's role in an organization. Throws NOT_FOUND for non-members. */
  async roleOf(caller: Caller, organizationId: number): Promise<Role> {
    return found(await this.access.roleIn(userOf(caller), organizationId));
  }

  /** Whether a use case that requires this privilege alone would accept the caller. */
  allows(caller: Caller, privilege: Privilege, organizationId: number): Promise<boolean> {
    return this.access.allows(caller, privilege, organizationId);
  }

  /** Privileges of the caller with the token of this request: none for a non-member. */
  async of(caller: Caller, organizationId: number): Promise<Privilege[]> {
    if (caller.kind !== 'user') return [];
    const role = await this.access.roleIn(caller, organizationId);
    return role === undefined ? [] : privilegesOf(role).filter(await this.access.granted(caller, organizationId));
  }
}

/** The privilege required to delete a file: `own` for its uploader, a higher one for others. */
export function privilegeToDelete(caller: Caller, uploaderId: string | null, own: Privilege): Privilege {
  return caller.kind === 'user' && caller.userId === uploaderId ? own : 'DELETE_EVIDENCE';
}

/** The privileges of a role, as far as the scopes of the token allow them. */
export function grantedTo({ scopes, serviceOf }: UserCaller, role: Role): Privilege[] {
  return privilegesOf(role).filter(
    (privilege) => scopes.has(PRIVILEGES[privilege].scope) && (serviceOf === undefined || !FOR_PERSONS.has(privilege)),
  );
}
