import { DateTimeScalar } from '../../schema/shared/scalars.js';
import type { Arg } from './decorators.js';

/** The argument of fields that may be asked about the past: the executor reads it before they are resolved (graphql/as-of.ts). */
export const AS_OF: Parameters<typeof Arg> = [
  'asOf',
  () => DateTimeScalar,
  'Answers as it was at that instant, from the audit trail. The same in every root field of the request, all of one organization. What is read is what the caller may read now.',
  { nullable: true },
];
