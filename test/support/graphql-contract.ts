/** The closed list of codes, without INTERNAL: no request may cause an internal error. */
export const GRAPHQL_CODES: readonly string[] = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'RATE_LIMITED',
  'BAD_USER_INPUT',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'MISSING_CONTENT',
  'INVALID_BASE64',
  'UNSUPPORTED_FILE_TYPE',
  'FILE_TOO_LARGE',
  'INVALID_DATA',
];

/** Finds stacks, SQL, file paths, names of classes and packages in a response, which must have none. */
export const INSIDES =
  /\bat \S+ \(\S*[/:]|node_modules|\.[jt]s:\d|\/(?:work|src|dist|home|tmp)\/|\b(?:select|insert into|update|delete from) .* (?:from|values|set|where)\b|DatabaseError|RangeError|TypeError|SyntaxError|MikroORM|postgres|pg-pool|graphql-jit|type-graphql|(?<!x-)apollo(?!-require)|byte sequence|stack/i;

const STATUSES = [200, 400, 401, 403, 405, 409, 413, 415, 429, 503];
const KEYS = ['code', 'messages', 'fields', 'reason'];

/** The violations of the GraphQL contract by a response of /graphql; none for pages of browsers. */
export function graphqlErrors({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Record<string, string>;
  text: string;
}) {
  const errors: string[] = [];
  if (!STATUSES.includes(status)) errors.push(`status ${status}`);
  if (headers['x-request-id'] === undefined) errors.push('the header X-Request-Id is missing');
  if (headers['content-type']?.startsWith('text/html') || status === 204) return errors;
  const answer = parsed(text) as { data?: unknown; errors?: GraphQLErrorShape[] } | undefined;
  if (answer === undefined || (answer.errors === undefined && !('data' in answer)))
    return [...errors, 'no GraphQL answer'];
  for (const { message, extensions } of answer.errors ?? []) {
    const allowed = extensions?.code === 'UNAVAILABLE' || GRAPHQL_CODES.includes(extensions?.code as string);
    if (!allowed) errors.push(`code ${String(extensions?.code)}`);
    if (!Array.isArray(extensions?.messages)) errors.push('an error without messages');
    if (Object.keys(extensions ?? {}).some((key) => !KEYS.includes(key))) errors.push('an unknown key in extensions');
    if (INSIDES.test(message)) errors.push('insides in a message');
  }
  return errors;
}

interface GraphQLErrorShape {
  message: string;
  extensions?: { code?: unknown; messages?: unknown };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
