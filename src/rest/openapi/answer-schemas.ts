import {
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { restEnum } from '../rest-input.js';
import { includingRoutes, type OperationRoute } from '../route.js';
import { coreField, isView } from '../view.js';
import { exampleOf } from './examples.js';
import { FIELD_FACTS } from './field-facts.js';
import { orNull, type Json } from '../../common/input-schema.js';
import { ref } from './published-schema.js';

/** Schemas of what routes answer, read off the REST view: views become components of their names. */
export class AnswerSchemas {
  readonly components: Record<string, Json> = {};

  constructor(private readonly view: GraphQLSchema) {}

  /** The envelope of a route's success (specification 2.1), as a component. */
  envelopeOf(route: OperationRoute): Json {
    const { name } = this.#envelope(route);
    const [data, ...including] = [route, ...includingRoutes(route).map(([, each]) => each)].map((each) =>
      this.#value(this.#dataOf(each)),
    );
    const any = including.length === 0 ? data! : { anyOf: [...including, data!] };
    this.components[name] ??= envelope(any, this.isList(route) ? { total: TOTAL } : {});
    return ref('schemas', name);
  }

  isList(route: OperationRoute): boolean {
    return 'total' in this.#envelope(route).getFields();
  }

  exampleOf(route: OperationRoute): unknown {
    const { example = {} } = route;
    const type = this.#dataOf(route);
    return exampleOf(type, isListType(getNullableType(type)) ? [example] : example);
  }

  #envelope({ operationId }: OperationRoute): GraphQLObjectType {
    const roots = [this.view.getQueryType(), this.view.getMutationType()];
    const field = roots.map((root) => root?.getFields()[operationId]).find((each) => each !== undefined);
    return field?.type as GraphQLObjectType;
  }

  #dataOf(route: OperationRoute): GraphQLOutputType {
    return this.#envelope(route).getFields()['data']?.type as GraphQLOutputType;
  }

  #value(type: GraphQLOutputType, facts: Json = {}): Json {
    return isNonNullType(type) ? this.#nonNull(type.ofType, facts) : orNull(this.#nonNull(type, facts));
  }

  #nonNull(type: GraphQLOutputType, facts: Json): Json {
    if (isListType(type)) return { type: 'array', items: this.#value(type.ofType), ...facts };
    if (isObjectType(type)) return isView(type) ? this.#component(type) : this.#object(type);
    if (facts['$ref'] !== undefined) return facts;
    if (isEnumType(type)) return { ...restEnum(type), ...facts };
    return { ...scalarSchema(type.toString()), ...facts };
  }

  #component(type: GraphQLObjectType): Json {
    this.components[type.name] ??= this.#object(type);
    return ref('schemas', type.name);
  }

  #object(type: GraphQLObjectType): Json {
    const fields = Object.values(type.getFields());
    return {
      type: 'object',
      ...(type.description ? { description: type.description } : {}),
      required: fields.map(({ name }) => name),
      properties: Object.fromEntries(
        fields.map((field) => {
          const { type: of, name } = coreField(field) ?? {};
          const schema = this.#value(field.type, FIELD_FACTS[`${of}.${name}`]);
          return [field.name, described(schema, field.description)];
        }),
      ),
    };
  }
}

function described(schema: Json, description: string | null | undefined): Json {
  return description ? { description, ...schema, ...('description' in schema ? { description } : {}) } : schema;
}

function envelope(data: Json, beside: Json): Json {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['error', 'messages', 'data', ...Object.keys(beside)],
    properties: {
      error: { type: 'integer', const: 0, description: '0 means success.' },
      messages: {
        type: 'array',
        maxItems: 0,
        items: { type: ['string', 'integer'] },
        description: 'Empty on success.',
      },
      data: { description: 'The payload.', ...data },
      ...beside,
    },
  };
}

const TOTAL = {
  type: 'integer',
  minimum: 0,
  description: 'Number of items that meet the filter. It is not the number of items in `data`.',
};

const SCALARS: Readonly<Record<string, Json>> = {
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  JSONObject: { type: 'object', additionalProperties: true },
  JSON: {},
};

/** How a GraphQL scalar looks in JSON. Throws for one without a description. */
function scalarSchema(name: string): Json {
  const schema = Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined;
  if (schema === undefined) throw new Error(`The interface description does not know the scalar ${name}`);
  return schema;
}
