/** In the order in which they are named. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The header Allow of an address that answers these methods; HEAD is answered where GET is. */
export function allowed(methods: readonly string[]): string {
  const served = METHODS.filter((method) => methods.includes(method === 'HEAD' ? 'GET' : method));
  return [...served, 'OPTIONS'].join(', ');
}
