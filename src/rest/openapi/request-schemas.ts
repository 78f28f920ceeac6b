import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { wireName } from '../../engine/wire.js';
import { DOCUMENT_SOURCES } from '../../vocabulary/document-sources.js';
import { INPUT_FACTS, INPUT_RULES } from './field-facts.js';
import { orNull, ref, type Json } from './json-schema.js';
import { fieldsFromParameters, hasBody, inputType } from '../route-body.js';
import { isOperationRoute } from '../route.js';
import { ROUTES } from '../routes.js';
import { scalarSchema } from './scalar-schemas.js';

/** Schemas of what is sent: the organization's come from the GraphQL input types, the files' are REST's own. */
export function requestSchemas(schema: GraphQLSchema): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  addInput(inputType({ schema }, { input: 'CreateOrganizationInput' }), schemas);
  for (const route of ROUTES.filter(isOperationRoute).filter(hasBody)) {
    const type = inputType({ schema }, route.body);
    addInput(type, schemas, new Set(fieldsFromParameters(route, type).values()));
  }
  return { ...schemas, ...FORMS };
}

/** Without what is said by the path and by headers. */
function addInput(
  type: GraphQLInputObjectType,
  schemas: Record<string, Json>,
  fromPath: ReadonlySet<string> = new Set(),
): Json {
  if (schemas[type.name] !== undefined) return ref('schemas', type.name);
  schemas[type.name] = {};
  // A file is a part of a form and no value of JSON.
  const fields = Object.values(type.getFields()).filter(
    (field) => bareName(field.type) !== 'Upload' && !fromPath.has(field.name),
  );
  schemas[type.name] = {
    type: 'object',
    ...(type.description ? { description: type.description } : {}),
    additionalProperties: false,
    ...requiredOf(fields),
    properties: Object.fromEntries(
      fields.map((field) => [wireName(field.name), property(type, field, schemas)] as const),
    ),
    ...INPUT_RULES[type.name],
  };
  return ref('schemas', type.name);
}

function requiredOf(fields: readonly GraphQLInputField[]): Json {
  const required = fields.filter(isRequiredInputField).map(({ name }) => wireName(name));
  return required.length === 0 ? {} : { required };
}

function property(type: GraphQLInputObjectType, field: GraphQLInputField, schemas: Record<string, Json>): Json {
  const facts = INPUT_FACTS[`${type.name}.${field.name}`] ?? {};
  const description = field.description ? { description: field.description } : {};
  // Facts may refer to what a value is made of.
  const value = valueOf(field.type, schemas);
  if (facts['$ref'] !== undefined || facts['anyOf'] !== undefined) return { ...description, ...facts };
  return { ...description, ...value, ...facts };
}

function valueOf(type: GraphQLInputType, schemas: Record<string, Json>): Json {
  const bare = getNullableType(type);
  const schema = isListType(bare)
    ? { type: 'array', items: valueOf(bare.ofType as GraphQLInputType, schemas) }
    : isInputObjectType(bare)
      ? addInput(bare, schemas)
      : isEnumType(bare)
        ? { type: 'string', enum: bare.getValues().map(({ name }) => name) }
        : scalarSchema(bare.toString());
  return isNonNullType(type) ? schema : orNull(schema);
}

function bareName(type: GraphQLInputType): string {
  return getNullableType(type).toString();
}

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
        description: 'The logo: PNG, JPEG or WebP, 1 MB at most. It is stored, and its URL becomes `logo`.',
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
    description: 'A document with its content in base64 (specification 4.2).',
    additionalProperties: false,
    required: ['filename', 'content'],
    properties: UPLOAD_FIELDS,
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
  SetOrganizationLogoForm: {
    type: 'object',
    description: 'Exactly one part.',
    additionalProperties: false,
    required: ['logo'],
    properties: { logo: { ...BINARY, description: 'The logo: PNG, JPEG or WebP, 1 MB at most.' } },
  },
  UploadIncidentAttachmentForm: {
    type: 'object',
    description: 'Exactly one part (specification 4.3).',
    additionalProperties: false,
    required: ['file'],
    properties: { file: { ...BINARY, description: 'The file: 25 MB at most, of the types that documents have.' } },
  },
};
