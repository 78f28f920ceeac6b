import { LIMITS } from '../vocabulary/limits.js';
import { checkInput } from './input-faults.js';
import type { AcceptInvitationInput, InviteMemberInput } from './invitation.input.js';
import { isEmailAddress } from './formats.js';
import { formatted, optional, text } from './rules.js';

const address = formatted(LIMITS.organization.emailCharacters, isEmailAddress, 'must be an e-mail address');
const name = optional(text(LIMITS.user.nameCharacters));

export function checkInvitation(input: InviteMemberInput): void {
  checkInput(input, { email: address });
}

/** The secret is not looked at: whatever is wrong with it looks alike. */
export function checkAcceptance(input: AcceptInvitationInput): void {
  checkInput(input, { firstName: name, lastName: name });
}
