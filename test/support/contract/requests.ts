import type { RequestContext } from '../contract.js';
import {
  below,
  misfits,
  partAt,
  TOKENS_IN_QUERY,
  type DescribedOperation,
  type DescribedParameter,
  type Part,
} from './description.js';
import { readForm, type Field } from './forms.js';

/** Ignored without a token, as documented: where none is required, it may have any value. */
const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** A body has no meaning for these methods (RFC 9110 9.3), and is ignored. */
const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD', 'DELETE'];

/** Returns the violations of an accepted request. */
export function requestErrors(
  { what: operation, pointer }: Part<DescribedOperation>,
  inBraces: Readonly<Record<string, string>>,
  requestContext: RequestContext,
): string[] {
  const query = queryOf(requestContext.target);
  const parameters = operation.parameters ?? [];
  const given = ({ name, in: place }: DescribedParameter): string[] => {
    if (name === IDEMPOTENCY_KEY && operation.security?.length === 0) return [];
    if (place === 'query') return query.getAll(name);
    const text = place === 'path' ? decodeURIComponent(inBraces[name] ?? '') : requestContext.sent[name.toLowerCase()];
    return text === undefined ? [] : [text];
  };
  return [
    ...parameters.flatMap((parameter, at) =>
      parameterErrors(parameter, below(pointer, 'parameters', at, 'schema'), given(parameter)),
    ),
    ...unknownNames(query, parameters).map((name) => `the query parameter ${name} is not described`),
    ...bodyErrors(operation, pointer, requestContext),
  ];
}

function queryOf(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}

function unknownNames(query: URLSearchParams, parameters: readonly DescribedParameter[]): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const described = [...known, ...TOKENS_IN_QUERY];
  // Names that begin with an underscore are reserved for caches, as documented.
  return [...new Set(query.keys())].filter((name) => !described.includes(name) && !name.startsWith('_'));
}

function parameterErrors({ name, required }: DescribedParameter, schema: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return required ? [`${name} is required`] : [];
  if (texts.length > 1) return [`${name} is given twice`];
  return textErrors(name, schema, texts[0] as string);
}

/** The error of a text from an address or a header for a schema. */
export function textErrors(name: string, schema: string, text: string): string[] {
  const { what } = partAt<{ type?: string }>(schema);
  return misfits(schema, valueOf(text, what.type)).map((error) => `${name}: ${error}`);
}

function valueOf(text: string, type: string | undefined): unknown {
  if (type === 'integer') return /^\d+$/.test(text) ? Number(text) : text;
  // Comma-separated values: `style: form` without `explode`.
  if (type === 'array') return text.split(',');
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return text;
}

function bodyErrors({ requestBody }: DescribedOperation, pointer: string, requestContext: RequestContext): string[] {
  const { method, sent, body } = requestContext;
  if (body === undefined || (requestBody === undefined && WITHOUT_BODY.includes(method))) return [];
  if (requestBody === undefined) return body.length === 0 ? [] : ['a body is not described'];
  if (body.length === 0) return requestBody.required ? ['the body is required'] : [];
  const contentType = sent['content-type'] ?? '';
  const mediaType = mediaTypeOf(contentType);
  const media = requestBody.content[mediaType];
  if (media === undefined) return [`a body of ${mediaType || 'no media type'} is not described`];
  const schema = below(pointer, 'requestBody', 'content', mediaType, 'schema');
  if (/[/+]json$/.test(mediaType))
    return misfits(
      schema,
      JSON.parse(
        Buffer.from(body)
          .toString()
          .replace(/^\ufeff/, ''),
      ),
    );
  // A file that is the whole body.
  if (!/form/.test(mediaType)) return misfits(schema, Buffer.from(body).toString('latin1'));
  const fields = readForm(mediaType, contentType, body);
  const types = fields.filter(({ name, type }) => type !== undefined && !mayBe(type, media.encoding?.[name]));
  return [
    ...types.map(({ name, type }) => `the part ${name} may not be ${type}`),
    ...misfits(schema, formValue(schema, fields)),
  ];
}

/** The media type of a Content-Type, without parameters and in lower case. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] as string).trim().toLowerCase();
}

function mayBe(type: string, encoding: { contentType: string } | undefined): boolean {
  return encoding === undefined || encoding.contentType.split(', ').includes(type.toLowerCase());
}

/** A form as the object of its schema: repeated fields are lists, and objects are JSON. */
function formValue(schema: string, fields: readonly Field[]): Record<string, unknown> {
  const { what, pointer } = partAt<{ properties?: Record<string, object> }>(schema);
  const value: Record<string, unknown> = {};
  for (const { name, text } of fields) {
    const isJson =
      what.properties?.[name] !== undefined &&
      partAt<{ type?: string }>(below(pointer, 'properties', name)).what.type === 'object';
    const before = value[name];
    const one = isJson ? (JSON.parse(Buffer.from(text, 'latin1').toString()) as unknown) : text;
    value[name] = before === undefined ? one : [...(Array.isArray(before) ? (before as unknown[]) : [before]), one];
  }
  return value;
}
