import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type BreakingChange,
  type GraphQLSchema,
} from 'graphql';

export interface ContractChanges {
  /** What may break a program that was written for the released contract. */
  breaking: string[];
  additive: string[];
}

/** What differs between two schemas, for a client that was written for the first. Both are SDL. */
export function schemaChanges(released: string, present: string): ContractChanges {
  const [before, now] = [buildSchema(released), buildSchema(present)];
  const dangerous = findDangerousChanges(before, now).map(({ description }) => description);
  return {
    breaking: withoutStandardScalars(findBreakingChanges(before, now)),
    additive: [...new Set([...additions(before, now), ...dangerous])],
  };
}

/** What a client of the present schema would miss in the released one. */
function additions(before: GraphQLSchema, now: GraphQLSchema): string[] {
  return withoutStandardScalars(findBreakingChanges(now, before).filter(({ type }) => type.includes('REMOVED'))).map(
    (description) => description.replace('was removed from', 'was added to').replace('was removed', 'was added'),
  );
}

/** A standard scalar comes and goes with its last use. */
function withoutStandardScalars(changes: readonly BreakingChange[]): string[] {
  return changes.map(({ description }) => description).filter((text) => !text.startsWith('Standard scalar'));
}
