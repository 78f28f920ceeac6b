import { GraphQLError, type ExecutionResult } from 'graphql';
import { badUserInput } from '../errors.js';
import { DOCUMENT_LIMITS } from './document-limits.js';

/**
 * The result itself, or a refusal in its place when its data is larger than one answer may be. Counted before the text
 * is made, so that a text of any size never is.
 */
export function withinSize(result: ExecutionResult): ExecutionResult {
  if (result.data == null || rest(result.data, DOCUMENT_LIMITS.answerCharacters) >= 0) return result;
  const sentence = `The answer exceeds the limit of ${DOCUMENT_LIMITS.answerCharacters} characters; ask for fewer fields or smaller pages`;
  const extensions = { http: { status: 400 } };
  return { errors: [new GraphQLError(sentence, { originalError: badUserInput([sentence]), extensions })] };
}

/** What is left of `allowed` characters after the value; negative, without looking at all of it, when it is larger. */
function rest(value: unknown, allowed: number): number {
  if (typeof value === 'string') return allowed - value.length - 2;
  if (typeof value !== 'object' || value === null) return allowed - 5;
  let left = allowed;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = rest(item, left - 1);
      if (left < 0) break;
    }
    return left;
  }
  for (const key in value) {
    left = rest((value as Record<string, unknown>)[key], left - key.length - 4);
    if (left < 0) break;
  }
  return left;
}
