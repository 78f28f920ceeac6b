/**
 * What a `Location` begins with: the path of the public address, below which a proxy may have put the gateway. A browser
 * takes a path for one of the whole host.
 */
export function locationRoot(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
