/**
 * REST description of a field that is null in GraphQL where the empty text is stored, which REST shows; undefined for
 * every other field.
 */
export function emptyDescription({
  extensions,
}: {
  extensions: Readonly<Record<string, unknown>>;
}): string | undefined {
  return extensions['whenEmpty'] as string | undefined;
}

/** The extensions of such a field. */
export function optionalExtensions(description: string): { whenEmpty: string } {
  return { whenEmpty: `${description} Empty when there is none.` };
}

/** The extensions of a field that REST omits where it is false. */
export const WHEN_TRUE = Object.freeze({ whenTrue: true });

export function isWhenTrue({ extensions }: { extensions: Readonly<Record<string, unknown>> }): boolean {
  return extensions['whenTrue'] === true;
}
