import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { FORMATS } from '../../common/formats.js';
import type { Selection } from '../../common/selection.js';
import { DomainError, inputError, invalidInput } from '../../errors.js';
import type { InvitedRowOutcome, Role } from '../../values/enums.js';
import { refusalOf, type RowRefusal } from '../shared/rows.js';
import type { InvitationService } from './invitations.service.js';
import type { InviteService } from './invite.service.js';

export interface InvitedRow {
  /** Its place in the request, from 1. */
  row: number;
  email: string;
  outcome: InvitedRowOutcome;
  invitation: object | null;
  error: RowRefusal | null;
}

interface ManyInvitations {
  organizationId: number;
  invitations: readonly { email: string; role: Role }[];
}

/** Invites many at once, each as `InviteService.invite` does; rows are independent of each other. */
export class InviteManyService {
  constructor(
    private readonly access: Access,
    private readonly invite: InviteService,
    private readonly invitations: InvitationService,
  ) {}

  /** One result for each row, in order. Throws NOT_FOUND and FORBIDDEN. `selection` is that of a row. */
  async inviteAll(caller: Caller, many: ManyInvitations, selection: Selection): Promise<InvitedRow[]> {
    const { organizationId, invitations } = many;
    await this.access.authorize(caller, 'MANAGE_MEMBERS', organizationId);
    const rows: InvitedRow[] = [];
    for (const [index, { email, role }] of invitations.entries()) {
      const result = await this.inviteOne(caller, { organizationId, email, role }, selection);
      rows.push({ row: index + 1, email, invitation: null, error: null, ...result });
    }
    return rows;
  }

  /** Returns the id of the invitation. Throws the error that refuses the row. */
  async one(caller: Caller, invitation: { organizationId: number; email: string; role: Role }): Promise<number> {
    const wrong = FORMATS.email(invitation.email);
    if (wrong !== undefined) throw invalidInput([inputError('email', wrong)]);
    return this.invite.invite(caller, invitation);
  }

  /** Whether the address of a row refused as `isKnown` already has the role of the row; another role is not applied. */
  isSo(invitation: { organizationId: number; email: string; role: Role }): Promise<boolean> {
    return this.invite.isSo(invitation);
  }

  private async inviteOne(
    caller: Caller,
    invitation: { organizationId: number; email: string; role: Role },
    selection: Selection,
  ): Promise<Pick<InvitedRow, 'outcome'> & Partial<InvitedRow>> {
    try {
      const id = await this.one(await this.access.renewed(caller), invitation);
      const shown = selection.has('invitation') ? selection.of('invitation') : undefined;
      return {
        outcome: 'INVITED',
        invitation: shown === undefined ? {} : await this.invitations.byId(id, shown),
      };
    } catch (error) {
      return isKnown(error) ?? { outcome: 'REFUSED', error: invitationRefusal(error) };
    }
  }
}

/** The reason why an address is not invited: it is a member's, or was invited before. */
export function isKnown(error: unknown): { outcome: 'ALREADY_MEMBER' | 'ALREADY_INVITED' } | undefined {
  const reason = error instanceof DomainError ? error.reason : undefined;
  return reason === 'ALREADY_MEMBER' || reason === 'ALREADY_INVITED' ? { outcome: reason } : undefined;
}

/** Only the role of a row may exceed the caller's rights. */
export function invitationRefusal(error: unknown): RowRefusal {
  return refusalOf(error, error instanceof DomainError && error.code === 'FORBIDDEN' ? 'role' : null);
}
