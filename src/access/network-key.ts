/**
 * What is counted as one address: an IPv4 address, or the first 64 bits of an IPv6 address, of which a single client has
 * all the others.
 */
export function networkKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = ''] = address.split('::', 1);
  const groups = head === '' ? [] : head.split(':').slice(0, 4);
  while (groups.length < 4) groups.push('0');
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
