import { networkOf } from '../access/allow-list.js';
import { LIMITS } from '../vocabulary/limits.js';

const DAY = 24 * 60 * 60 * 1000;
const { maxDays, maxNetworks, nameCharacters } = LIMITS.token;

/** What is wrong with a token's name, one sentence a fault. */
export function nameFaults(name: string): string[] {
  const faults: string[] = [];
  if (name === '') faults.push('name is required');
  if ([...name].length > nameCharacters) faults.push(`name must not be longer than ${nameCharacters} characters`);
  if (/[\0-\x1f\x7f]/.test(name) || !name.isWellFormed()) faults.push('name must not contain control characters');
  return faults;
}

/** Milliseconds since 1970, both. */
export function expiryFaults(expiresAt: number, now: number): string[] {
  const faults: string[] = [];
  if (expiresAt <= now) faults.push('expires_at must be in the future');
  if (expiresAt > now + maxDays * DAY) faults.push(`expires_at must not be more than ${maxDays} days away`);
  return faults;
}

/** One sentence a fault, named by the wire path; addresses and networks in CIDR notation are good. */
export function networkFaults(networks: readonly string[]): string[] {
  if (networks.length > maxNetworks) return [`allowed_ips must not have more than ${maxNetworks} items`];
  return networks.flatMap((network, index) =>
    networkOf(network) === undefined
      ? [`allowed_ips[${index}] must be an IP address or a network such as 192.0.2.0/24`]
      : [],
  );
}
