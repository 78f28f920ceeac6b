import type { Scope } from '../values/enums.js';
import type { Privilege } from './roles.js';

/** A right that a caller was found to have: a privilege in an organization, a scope in its own affairs, or a scope in an engagement that it audits. */
export type Right =
  | { readonly privilege: Privilege; readonly organizationId: number }
  | { readonly scope: Scope; readonly organizationId?: undefined }
  | AuditorRight;

export interface AuditorRight {
  readonly scope: Scope;
  readonly engagementId: number;
  readonly organizationId: number;
}

/** Rights that a caller was found to have in one request, each once. */
export class UsedRights {
  private readonly rights = new Map<string, Right>();

  add(right: Right): void {
    this.rights.set(Object.values(right).join(' '), right);
  }

  all(): Right[] {
    return [...this.rights.values()];
  }

  organizationIds(): number[] {
    return organizationIdsOf(this.all());
  }
}

export function organizationIdsOf(rights: readonly Right[]): number[] {
  return [...new Set(rights.flatMap(({ organizationId }) => organizationId ?? []))];
}
