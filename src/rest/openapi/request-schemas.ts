import type { GraphQLInputObjectType, GraphQLSchema } from 'graphql';
import { type Json, objectSchema, orNull } from '../../common/input-schema.js';
import { published, ref } from '../../common/published-schema.js';
import { DOCUMENT_SOURCES } from '../../values/enums.js';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../values/sectors.js';
import type { CompiledOperation } from '../view/core-path.js';
import { readOnlyFields } from '../read-only.js';
import { fieldsNotInJson } from '../request/request-reader.js';
import { REST_SPELLING } from '../request/rest-input.js';
import type { OperationRoute } from '../route.js';

/** Schemas of requests: those that bodies are validated by, and the forms of uploads, which exist in REST only. */
export function requestSchemas(view: GraphQLSchema, routes: readonly CompiledOperation[]): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const route of routes.filter(takesJson)) {
    const { input } = route.core;
    addInput(input!, schemas, fieldsNotInJson(route.core));
    addReadOnly(schemas, input!.name, readOnlyFields(view, route));
  }
  return { ...schemas, ...FORMS };
}

/** Of inputs with a file, only an organization is an input as a whole. */
function takesJson({ body }: OperationRoute): boolean {
  return body !== undefined && (!('upload' in body) || body.upload === 'organization');
}

/** Without fields in the path and headers; a file is a part of a form and no value of JSON. */
function addInput(
  type: GraphQLInputObjectType,
  schemas: Record<string, Json>,
  omitted: ReadonlySet<string> = new Set(),
): Json {
  if (schemas[type.name] === undefined) {
    const nested = (inner: GraphQLInputObjectType) => addInput(inner, schemas);
    const options = { ...REST_SPELLING, nested };
    schemas[type.name] = published(objectSchema(type, options, omitted));
  }
  return ref('schemas', type.name);
}

/** Fields that are accepted as they were read. */
function addReadOnly(schemas: Record<string, Json>, name: string, fields: ReadonlySet<string>): void {
  const readOnly = [...fields].map((field) => [field, { readOnly: true, description: AS_READ }]);
  const { properties, ...schema } = schemas[name] as { properties: Json };
  schemas[name] = { ...schema, properties: { ...properties, ...Object.fromEntries(readOnly) } };
}

const AS_READ = 'It cannot be changed: ignored when it is as it was read, refused otherwise.';

const BINARY = { type: 'string', format: 'binary' };

const UPLOAD_FIELDS = {
  filename: { type: 'string', description: 'File name.', minLength: 1 },
  content: { type: 'string', description: 'File content, base64 encoded: 10 MB at most, decoded.', minLength: 1 },
  content_type: { type: 'string', description: 'Media type of the file. The content must agree.' },
  source: {
    type: 'string',
    description: 'Origin of the file; `attached` when absent.',
    enum: ['', ...DOCUMENT_SOURCES],
  },
};

/** In JSON they may be null as well. */
const OR_NULL = { content_type: orNull(UPLOAD_FIELDS.content_type), source: orNull(UPLOAD_FIELDS.source) };

const FORMS: Record<string, Json> = {
  CreateOrganizationForm: {
    type: 'object',
    description:
      'The organization is either one JSON document in the part `data`, or a part for each value in bracket form: `data[name]`, `data[contacts][0][email]`, `data[sectors][]`. Numbers and booleans are read from their text.',
    additionalProperties: false,
    properties: {
      data: { description: 'The organization as JSON.', ...ref('schemas', 'CreateOrganizationInput') },
      logo: {
        ...BINARY,
        description:
          'The logo: PNG, JPEG or WebP, 1 MB at most. It is stored, and its URL becomes `logo`, in place of one in `data`.',
      },
    },
    patternProperties: {
      '^data(\\[[^\\[\\]]*\\])+$': {
        description: 'One value of the organization.',
        type: ['string', 'array'],
        items: { type: 'string' },
      },
    },
  },
  UploadDocumentVersionInput: {
    type: 'object',
    // Specification 4.2.
    description: 'A document with its content in base64.',
    additionalProperties: false,
    required: ['filename', 'content'],
    properties: { ...UPLOAD_FIELDS, ...OR_NULL },
  },
  UploadDocumentVersionForm: {
    type: 'object',
    description:
      'The same fields as in JSON, or the bytes as a file part that is called `content` or `file`. Name and media type of a file part stand where no field says otherwise.',
    additionalProperties: false,
    properties: {
      ...UPLOAD_FIELDS,
      content: { ...BINARY, description: 'The file; or its content, base64 encoded, as a part without a file name.' },
      file: { ...BINARY, description: 'The file.' },
    },
    oneOf: [{ required: ['content'] }, { required: ['file'] }],
  },
  TableText: {
    type: 'string',
    description:
      'The table as CSV in UTF-8, as the list is exported with `format=csv`: 5 MB and 2,000 rows at most, as a job 10 MB and 10,000 rows. Columns may be missing, all but `id`.',
  },
  TableForm: {
    type: 'object',
    description: 'Exactly one part.',
    additionalProperties: false,
    required: ['file'],
    properties: {
      file: {
        ...BINARY,
        description: 'The table as CSV in UTF-8: 5 MB and 2,000 rows at most, as a job 10 MB and 10,000 rows.',
      },
    },
  },
  DocumentArchive: {
    ...BINARY,
    description:
      'A ZIP archive with `manifest.json`: 250 MB, 5,000 entries and 1,000 documents at most, as a job 12,000 entries and 10,000 documents; 1 GB unpacked.',
  },
  DocumentArchiveForm: {
    type: 'object',
    description: 'Exactly one part.',
    additionalProperties: false,
    required: ['file'],
    properties: { file: { ...BINARY, description: 'A ZIP archive with `manifest.json`: 250 MB at most.' } },
  },
  SetOrganizationLogoForm: {
    type: 'object',
    description: 'Exactly one part.',
    additionalProperties: false,
    required: ['logo'],
    properties: { logo: { ...BINARY, description: 'The logo: PNG, JPEG or WebP, 1 MB at most.' } },
  },
  UploadIncidentAttachmentForm: {
    type: 'object',
    // Specification 4.3.
    description: 'Exactly one part.',
    additionalProperties: false,
    required: ['file'],
    properties: { file: { ...BINARY, description: 'The file: 25 MB at most, of the types that documents have.' } },
  },
};

/** The value lists of specification 2.2, each written once. */
export const VALUE_LISTS: Json = {
  Sector: { type: 'string', description: 'A sector, in exact spelling.', enum: SECTORS },
  Industry: { type: 'string', description: 'An industry, in exact spelling.', enum: INDUSTRIES },
  Nis2Sector: { type: 'string', description: 'A NIS 2 sector, in exact spelling; may be empty.', enum: NIS2_SECTORS },
};
