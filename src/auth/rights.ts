import type { Scope } from '../values/enums.js';
import type { Privilege } from './roles.js';

/**
 * A right that a caller has used: a privilege in an organization, a scope in its own affairs, or a scope in an
 * engagement that it audits.
 */
export type Right =
  | { readonly privilege: Privilege; readonly organizationId: number }
  | { readonly scope: Scope; readonly organizationId?: undefined }
  | AuditorRight;

export interface AuditorRight {
  readonly scope: Scope;
  readonly engagementId: number;
  readonly organizationId: number;
}

/** Rights that a caller has used in one request, without duplicates. */
export class UsedRights {
  private readonly rights = new Map<string, Right>();
  /** Rights granted since `takeLatest`. */
  private readonly latest = new Map<string, Right>();

  add(right: Right): void {
    const name = Object.values(right).join(' ');
    this.rights.set(name, right);
    this.latest.set(name, right);
  }

  /** Rights granted since the last call: those for the transaction that is about to be committed. */
  takeLatest(): Right[] {
    const latest = [...this.latest.values()];
    this.latest.clear();
    return latest;
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
