/** Codes of connections that TLS did not make, such as those to a server whose certificate has expired. */
export const TLS_ERROR = /CERT|TLS|SSL|VERIFY/;

/** Throws one error for what failed of organizations, or others, that were tried one after the other, which names them; nothing where none did. */
export function throwFailures(failures: ReadonlyMap<number, unknown>, what: string, of = 'organizations'): void {
  if (failures.size === 0) return;
  const [ids, errors] = [[...failures.keys()], [...failures.values()]];
  throw new AggregateError(errors, `${what}: ${of} ${ids.join(', ')}`, { cause: errors[0] });
}
