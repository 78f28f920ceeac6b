/** Throws one error for what failed of organizations that were tried one after the other, which names them; nothing where none did. */
export function throwFailures(failures: ReadonlyMap<number, unknown>, what: string): void {
  if (failures.size === 0) return;
  const [ids, errors] = [[...failures.keys()], [...failures.values()]];
  throw new AggregateError(errors, `${what}: organizations ${ids.join(', ')}`, { cause: errors[0] });
}
