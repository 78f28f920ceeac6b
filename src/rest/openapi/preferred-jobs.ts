import type { Json } from '../../common/input-schema.js';
import { PREFER, RESPOND_ASYNC } from '../../http/preference.js';

/** An operation that is done as a job where that is preferred: with the body, the answer and the failures of the job's own. */
export function withJob(operation: Json, job: Json): Json {
  const { parameters, requestBody, responses, description } = operation as Record<string, Json>;
  const names = (of: Json) => (of['parameters'] as unknown as Json[]).map(({ name }) => String(name));
  const refused = names(operation).filter((name) => !names(job).includes(name));
  return {
    ...operation,
    description: `${description} With \`Prefer: respond-async\`: ${job['description']}`,
    parameters: [...(parameters as unknown as Json[]), preference(refused)],
    requestBody: eitherBody(requestBody as Json, job['requestBody'] as Json),
    responses: { ...responses, ...(job['responses'] as Json) },
  };
}

/** Bodies that may be larger for a job. */
function eitherBody(one: Json, other: Json): Json {
  type Content = Record<string, { schema: Json }>;
  const [content, more] = [one, other].map((body) => body['content'] as Content) as [Content, Content];
  const either = Object.entries(content).map(([type, { schema, ...rest }]) => {
    const schemas = [schema, more[type]?.schema].filter((each) => each !== undefined);
    const isSame = JSON.stringify(schemas[0]) === JSON.stringify(schemas[1]);
    return [type, { schema: isSame ? schema : { anyOf: schemas }, ...rest }];
  });
  return { ...one, content: Object.fromEntries(either) };
}

/** The header, beside which some parameters are refused. */
const preference = (refused: readonly string[]): Json => ({
  name: PREFER,
  in: 'header',
  required: false,
  description: [
    '`respond-async` (RFC 7240) for the answer 202 and a job that is watched at `Location`. Other preferences are ignored.',
    ...refused.map((name) => `Beside it, \`${name}\` is refused.`),
  ].join(' '),
  schema: { type: 'string' },
  example: RESPOND_ASYNC,
});
