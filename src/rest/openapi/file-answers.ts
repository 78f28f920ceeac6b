import { fileKinds } from '../../values/file-types.js';
import type { FileRoute } from '../route.js';
import { STATUS } from '../answer/answer.js';
import { headers } from './response-headers.js';
import type { Json } from '../../common/input-schema.js';
import { ref } from '../../common/published-schema.js';

const text = (description: string, example: string): Json => ({
  description,
  required: true,
  schema: { type: 'string' },
  example,
});
const disposition = text('The original name (RFC 6266).', 'attachment; filename="policy.pdf"');
const contentRange = text('Which bytes of how many.', 'bytes 0-1023/48213');
const SHA_256 = '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"';
const fileHeaders = {
  ...headers(),
  ETag: text('SHA-256 of the content.', SHA_256),
  'Accept-Ranges': text('Ranges are counted in bytes.', 'bytes'),
  'Content-Disposition': disposition,
};

/** Of every kind that may be uploaded, and nothing else is stored. Bytes have no schema. */
const file = Object.fromEntries(fileKinds.map(({ mediaTypes: [own] }) => [own, {}]));

type Answers = Readonly<Record<string, Json>>;

/** Headers for the gaps of a PDF against the text as it was written; absent when there is none. */
const GAPS: Readonly<Record<string, Json>> = {
  'Missing-Characters': {
    ...text(
      'Characters that the font lacks, the first 50: they are empty boxes, which the page says as well.',
      'U+8CC7 U+7523',
    ),
    required: false,
  },
  'Unordered-Scripts': {
    ...text('Scripts from right to left, which are not put in order; the page says it as well.', 'Arabic'),
    required: false,
  },
};

/** A file that is made for the request. */
const madeFile = (
  mediaType: string,
  description: string,
  content: Json = { schema: { type: 'string' } },
  more: Readonly<Record<string, Json>> = {},
): Answers => ({
  [STATUS.ok]: {
    description,
    headers: { ...headers(), 'Content-Disposition': disposition, ...more },
    content: { [mediaType]: content },
  },
});

const BINARY = { schema: { type: 'string', format: 'binary' } };

const oscal = (model: string, description: string): Answers =>
  madeFile('application/json', description, {
    schema: { type: 'object', required: [model], properties: { [model]: { type: 'object' } } },
    example: { [model]: { uuid: 'c5b0dbb8-7a3c-5d5b-8f1e-0d4d5a2a7c11' } },
  });

/** Successes by status. */
export const FILE_ANSWERS: Readonly<Record<FileRoute['handler'], Answers>> = {
  download: {
    [STATUS.ok]: {
      description: 'The file, under the media type that was found for it.',
      headers: fileHeaders,
      content: file,
    },
    [STATUS.partialContent]: {
      description: 'The range that the header `Range` asks for.',
      headers: { ...fileHeaders, 'Content-Range': contentRange },
      content: file,
    },
    [STATUS.notModified]: {
      description: 'The client has it already: the header `If-None-Match` names it.',
      headers: fileHeaders,
    },
    [STATUS.rangeNotSatisfiable]: {
      description: 'The range lies outside of the file.',
      headers: { ...headers(), 'Content-Range': text('How many bytes there are.', 'bytes */48213') },
      content: { 'application/json': { schema: ref('schemas', 'Error'), example: { error: 1, messages: [] } } },
    },
  },
  'evidence-pack': madeFile(
    'application/zip',
    'The archive. It is made while it is sent: one that ends before its end is no archive.',
    BINARY,
  ),
  'audit-trail-ndjson': madeFile(
    'application/x-ndjson',
    'One JSON object on each line: what was removed after its retention, if anything was, entries in order, and a signed checkpoint as the last one. Without it the export is not complete.',
  ),
  proof: madeFile(
    'application/x-ndjson',
    'One JSON object on each line: what is proven and the public keys, the entries with their checkpoints, the answer, and the signature of all of it.',
  ),
  'audit-trail-csv': madeFile('text/csv', 'A table (RFC 4180) with one row for each entry, in order.'),
  'report-draft-html': madeFile('text/html', 'A page that loads nothing and runs nothing.'),
  'rehearsal-report-pdf': madeFile('application/pdf', 'The document, with numbered pages.', BINARY),
  'report-draft-pdf': madeFile('application/pdf', 'The document, with numbered pages.', BINARY, GAPS),
  'personal-data': madeFile(
    'application/json',
    'One object with a list for each kind of data; docs/privacy.md names them. It is made while it is sent: one that ends before its end is no JSON.',
    { schema: { type: 'object' }, example: { profile: { username: 'elena.santoro' } } },
  ),
  'oscal-assessment-results': oscal(
    'assessment-results',
    'The results, valid by the JSON Schema of OSCAL 1.1.2. They are as they are at this moment.',
  ),
  'oscal-component-definition': oscal(
    'component-definition',
    'The definition, valid by the JSON Schema of OSCAL 1.1.2. It is as it is at this moment.',
  ),
  description: {
    [STATUS.ok]: {
      description: 'The description, compressed with Brotli or gzip where `Accept-Encoding` takes that.',
      headers: headers('ETag'),
      content: { 'application/json': { schema: { type: 'object' }, example: { openapi: '3.1.0' } } },
    },
    [STATUS.notModified]: {
      description: 'The client has it already: the header `If-None-Match` names it.',
      headers: headers('ETag'),
    },
  },
};

const condition = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  example,
});

export const IF_NONE_MATCH = condition(
  'If-None-Match',
  'The `ETag` of an answer that the client has: 304 means that it is still right, and costs little.',
  '"rB1aX0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVs"',
);

/** Headers that request a part of a file, or none of it; malformed ones are ignored (RFC 9110). */
const DOWNLOAD_CONDITIONS: readonly Json[] = [
  condition('If-None-Match', 'The `ETag` of a file that the client has: 304 means that it is the same.', SHA_256),
  condition(
    'Range',
    'The one range of bytes that is wanted; several, or none that is whole, are the file.',
    'bytes=0-1023',
  ),
  condition('If-Range', 'The `ETag` of the file that the range is of: of any other the whole is sent.', SHA_256),
];

/** Headers of conditional and partial requests. */
export const FILE_CONDITIONS: Partial<Record<FileRoute['handler'], readonly Json[]>> = {
  download: DOWNLOAD_CONDITIONS,
  description: [IF_NONE_MATCH],
};
