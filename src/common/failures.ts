/** Codes of failed TLS handshakes, such as with a server whose certificate has expired. */
export const TLS_ERROR = /CERT|TLS|SSL|VERIFY/;

/**
 * Throws one error for failures of organizations or other subjects that were processed in turn, which names them;
 * nothing without failures.
 */
export function throwFailures(
  failures: ReadonlyMap<number | string, unknown>,
  what: string,
  of = 'organizations',
): void {
  if (failures.size === 0) return;
  const [ids, errors] = [[...failures.keys()], [...failures.values()]];
  throw new AggregateError(errors, `${what}: ${of} ${ids.join(', ')}`, { cause: errors[0] });
}
