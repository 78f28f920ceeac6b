import { LIMITS } from '../vocabulary/limits.js';
import { checkInput } from './input-faults.js';
import { optional, text } from './rules.js';
import type { UpdateProfileInput } from './user.input.js';

const name = optional(text(LIMITS.user.nameCharacters));

/** Throws BAD_USER_INPUT with all faults of names. */
export function checkProfile(input: UpdateProfileInput): void {
  checkInput(input, { firstName: name, lastName: name });
}
