/** In the order of the header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The header Allow of an address with these methods; HEAD is answered where GET is. */
export function allowed(methods: readonly string[]): string {
  const served = METHODS.filter((method) => methods.includes(method === 'HEAD' ? 'GET' : method));
  return [...served, 'OPTIONS'].join(', ');
}
