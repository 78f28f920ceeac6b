import { DateTimeScalar } from '../../schema/shared/scalars.js';
import type { Arg } from './decorators.js';

/** The argument of fields that can be read as of a past instant, which the executor evaluates first (graphql/as-of.ts). */
export const AS_OF: Parameters<typeof Arg> = [
  'asOf',
  () => DateTimeScalar,
  'Answers as it was at that instant, from the audit trail. The same in every root field of the request, all of one organization. What is read is what the caller may read now.',
  { nullable: true },
];
