import { LIMITS } from '../vocabulary/limits.js';
import { isEmailAddress } from './formats.js';
import { checkInput } from './input-faults.js';
import { formatted } from './rules.js';
import type { RequestTokenRecoveryInput } from './token-recovery.input.js';

/** Throws BAD_USER_INPUT for what cannot be an address, whoever's it is. */
export function checkRecoveryRequest(input: RequestTokenRecoveryInput): void {
  checkInput(input, {
    email: formatted(LIMITS.organization.emailCharacters, isEmailAddress, 'must be an e-mail address'),
  });
}
