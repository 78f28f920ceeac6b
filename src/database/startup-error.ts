/** Why the gateway cannot start: one sentence for the operator, printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
