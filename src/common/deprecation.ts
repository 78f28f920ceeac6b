import { isDay } from './time.js';

/** A part of a contract that will be removed. Days are written `2026-11-25`. */
export interface Deprecation {
  /** The day of the release that deprecates it. */
  readonly since: string;
  /** The first day on which it may be removed: at least twelve months after `since`. */
  readonly sunset: string;
  /** The replacement, as a sentence: "Use `members`." */
  readonly use: string;
}

/** A declaration that can be deprecated: a field, an argument, an input field, a value of an enum. */
export interface Deprecatable {
  deprecationReason?: string | null | undefined;
}

/**
 * Deprecates a field, an argument, an input field or a value of an enum, as one of its options. GraphQL shows the
 * reason; OpenAPI, headers and the comparison of releases read it (docs/compatibility.md). Throws for too short a
 * period.
 */
export function deprecated(declared: Deprecation): { deprecationReason: string } {
  const { since, sunset, use } = declared;
  const reason = `${use} Deprecated since ${since}, may be removed from ${sunset} on.`;
  if (readReason(reason) === undefined) throw new Error(`Not a deprecation: ${reason}`);
  if (sunset < earliestSunset(since)) throw new Error(`${since} to ${sunset} is less than twelve months: ${reason}`);
  return { deprecationReason: reason };
}

/** The deprecation of a member of the schema; undefined for others. Throws for a reason in another form. */
export function deprecationOf({ deprecationReason: reason }: Deprecatable): Deprecation | undefined {
  if (reason == null) return undefined;
  const declared = readReason(reason);
  if (declared === undefined) throw new Error(`A deprecation is declared by deprecated(), and not as: ${reason}`);
  return declared;
}

/** Keywords of a deprecated part in the interface description. */
export function publishedDeprecation(declared: Deprecation | undefined): { deprecated?: true; 'x-sunset'?: string } {
  return declared === undefined ? {} : { deprecated: true, 'x-sunset': declared.sunset };
}

/** The description of a part, with the reason why it is deprecated. */
export function describedWith(description: string | null | undefined, reason: string | null | undefined): string {
  return [description, reason].filter(Boolean).join(' ');
}

function readReason(reason: string): Deprecation | undefined {
  const match = /^(.+) Deprecated since (\S+), may be removed from (\S+) on\.$/s.exec(reason);
  if (match === null) return undefined;
  const [, use, since, sunset] = match as unknown as [string, string, string, string];
  return isDay(since) && isDay(sunset) ? { since, sunset, use } : undefined;
}

/** The same day of the next year. */
function earliestSunset(since: string): string {
  return `${Number(since.slice(0, 4)) + 1}${since.slice(4)}`;
}
