import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  isIntrospectionType,
  type BreakingChange,
  type DangerousChange,
  DangerousChangeType,
  type GraphQLSchema,
} from 'graphql';
import { deprecationOf } from '../src/common/deprecation.js';
import { partsOf } from '../src/graphql/deprecations.js';
import { withoutExpired } from './expired.js';

export interface ContractChanges {
  /** Changes that may break a client of the released contract. */
  breaking: string[];
  additive: string[];
}

interface Days {
  /** Deprecated parts with a sunset until this day may be missing. */
  today: string;
  /** The day of the release. */
  released: string;
}

/** Differences between two schemas (SDL), for a client of the first. */
export function schemaChanges(released: string, present: string, days: Days): ContractChanges {
  const [before, now] = [buildSchema(released), buildSchema(present)];
  const unexpired = withoutExpired(released, days.today);
  const deprecations = newDeprecations(before, now);
  const dangerous = findDangerousChanges(before, now);
  // A default is a part of the contract.
  const isBreaking = ({ type }: DangerousChange) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE;
  const sentences = (changes: readonly DangerousChange[]) => changes.map(({ description }) => description);
  return {
    breaking: [
      ...withoutStandardScalars(findBreakingChanges(unexpired, now)),
      ...sentences(dangerous.filter(isBreaking)),
      ...deprecations
        .filter(({ since }) => since < days.released)
        .map(
          ({ coordinate, since }) => `${coordinate} is deprecated since ${since}, before the release that is compared.`,
        ),
    ],
    additive: [
      ...new Set([
        ...additions(before, now),
        ...removals(before, unexpired, now),
        ...sentences(dangerous.filter((change) => !isBreaking(change))),
        ...deprecations.map(({ coordinate, use, sunset }) => `${coordinate} was deprecated until ${sunset}. ${use}`),
      ]),
    ],
  };
}

/** Removals after the day of their sunset. */
function removals(before: GraphQLSchema, unexpired: GraphQLSchema, now: GraphQLSchema): string[] {
  const breaking = new Set(withoutStandardScalars(findBreakingChanges(unexpired, now)));
  return withoutStandardScalars(findBreakingChanges(before, now)).filter((change) => !breaking.has(change));
}

/** Parts that are deprecated now and were not in the release. */
function newDeprecations(before: GraphQLSchema, now: GraphQLSchema) {
  const known = new Set(deprecationsIn(before).map(({ coordinate }) => coordinate));
  return deprecationsIn(now).filter(({ coordinate }) => !known.has(coordinate));
}

function deprecationsIn(schema: GraphQLSchema) {
  return Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .flatMap((type) =>
      partsOf(type).flatMap(([coordinate, part]) => {
        const declared = deprecationOf(part);
        return declared === undefined ? [] : [{ coordinate, ...declared }];
      }),
    );
}

/** Additions: parts of the present schema that the released one lacks. */
function additions(before: GraphQLSchema, now: GraphQLSchema): string[] {
  return withoutStandardScalars(findBreakingChanges(now, before).filter(({ type }) => type.includes('REMOVED'))).map(
    (description) => description.replace('was removed from', 'was added to').replace('was removed', 'was added'),
  );
}

/** A standard scalar appears and disappears with its use. */
function withoutStandardScalars(changes: readonly BreakingChange[]): string[] {
  return changes.map(({ description }) => description).filter((text) => !text.startsWith('Standard scalar'));
}
