import type { Role } from '../../values/enums.js';

/** A role as sentences and mails call it: `SECURITY_OFFICER` is "Security Officer". */
export function roleName(role: Role): string {
  return role
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join(' ');
}
