import type { IncomingMessage } from 'node:http';
import { tokenOf, type GraphQLContext } from './context.js';
import { badUserInput } from '../errors.js';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_PATTERN } from '../common/idempotency.js';
import type { IdempotentRequest } from '../services/shared/idempotent-answers.js';
import { LIMITS } from '../values/limits.js';

const { keyCharacters } = LIMITS.idempotency;

/** A repeated header is joined with commas, which makes it invalid. */
const SHAPE = new RegExp(IDEMPOTENCY_KEY_PATTERN);

const MALFORMED = `${IDEMPOTENCY_KEY} must be 1 to ${keyCharacters} printable ASCII characters, in double quotes or bare`;

/**
 * The key of a request; undefined where there is none, or no token that it could belong to. Throws BAD_USER_INPUT when it
 * is malformed.
 */
export function idempotentRequestOf(
  request: IncomingMessage,
  { caller }: Pick<GraphQLContext, 'caller'>,
): IdempotentRequest | undefined {
  const header = request.headers[IDEMPOTENCY_KEY.toLowerCase()];
  if (typeof header !== 'string' || caller.kind !== 'user') return undefined;
  const token = tokenOf(request)?.token;
  if (token === undefined) return undefined;
  return { key: keyIn(header), caller, token };
}

function keyIn(header: string): string {
  const [, quoted, bare] = SHAPE.exec(header.trim()) ?? [];
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
  if (key === undefined || key.length > keyCharacters) throw badUserInput([MALFORMED]);
  return key;
}
