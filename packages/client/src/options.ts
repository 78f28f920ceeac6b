/** Throws TypeError for an unknown option, which would be ignored. */
export function requireOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name)) throw new TypeError(`There is no option ${name}`);
}
