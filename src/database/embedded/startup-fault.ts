/** Why the embedded database cannot start: one sentence for the operator, who needs no stack to act on it. */
export class StartupFault extends Error {
  override readonly name = 'StartupFault';
}
