/** A value that statements compare: a column of a table occurrence, or a source of values. */
export interface Value {
  /** The nesting depth of its query. */
  depth: number;
  from?: 'one' | 'several';
  name: string;
  /** The values that it equals, as far as they decide about it. */
  equals: Set<Value>;
}

/** Uncertain equalities, in an `or` or of an outer join, decide only about values that this accepts. */
export type Decides = (value: Value) => boolean;
export const always: Decides = () => true;

export function value(from: Value['from'], name: string): Value {
  return { depth: 0, name, equals: new Set(), ...(from && { from }) };
}

export function equate(one: Value | undefined, other: Value | undefined, decides: Decides): void {
  if (one === undefined || other === undefined) return;
  if (decides(one) && one.from === undefined) one.equals.add(other);
  if (decides(other) && other.from === undefined) other.equals.add(one);
}

export function eitherOf(one: Value | undefined, other: Value | undefined): Value | undefined {
  if (one === undefined || other === undefined || one === other) return one === other ? one : undefined;
  const either = value(undefined, 'either');
  const [ones, others] = [reach(one), reach(other)];
  for (const each of ones) if (each.from && others.has(each)) either.equals.add(each);
  if (either.equals.size === 0 && isBound(one) && isBound(other)) either.equals.add(value('several', 'union'));
  return either;
}

export function reach(from: Value, found = new Set<Value>()): Set<Value> {
  if (found.has(from)) return found;
  found.add(from);
  for (const each of from.equals) reach(each, found);
  return found;
}

export function isBound(one: Value): boolean {
  return [...reach(one)].some(({ from }) => from !== undefined);
}

/** Numbers the values: equal for those connected by equalities, directly or through others. */
export function groupsOf<Place>(places: readonly Place[], valuesOf: (place: Place) => Set<Value>): Map<Place, number> {
  const groups = new Map(places.map((place, index) => [place, index]));
  const values = places.map((place) => [place, valuesOf(place)] as const);
  for (const [place, own] of values) {
    for (const [other, others] of values) {
      if (![...own].some((value) => others.has(value))) continue;
      const [from, to] = [groups.get(other), groups.get(place) as number];
      for (const [each, group] of groups) if (group === from) groups.set(each, to);
    }
  }
  return groups;
}

export function sourcesIn(values: Set<Value>, from: Value['from']): Set<Value> {
  return new Set([...values].filter((each) => each.from === from));
}
