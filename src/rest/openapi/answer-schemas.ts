import {
  getNullableType,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { pathToData, responseName } from '../operation.js';
import type { OperationRoute } from '../route.js';
import { FIELD_FACTS } from './field-facts.js';
import { orNull, ref, type Json } from './json-schema.js';
import { scalarSchema } from './scalar-schemas.js';

/**
 * Schemas of what routes answer, read off their documents and the GraphQL schema: what is described is what is selected,
 * so the description cannot fall behind. Fragments become components of their names.
 */
export class AnswerSchemas {
  readonly components: Record<string, Json> = {};

  constructor(readonly schema: GraphQLSchema) {}

  /** The envelope of a route's success (specification 2.1), as a component. */
  envelopeOf(route: OperationRoute): Json {
    const path = pathToData(route.document);
    const type = this.typeOfData(route);
    const list = this.isList(route);
    const data = new DocumentWalk(route.document, this.components).value(type, path.at(-1) as FieldNode);
    const name = `${componentIn(data)}${list ? 'List' : ''}Envelope`;
    this.components[name] ??= envelope(data, list ? { total: TOTAL } : {});
    return ref('schemas', name);
  }

  isList(route: OperationRoute): boolean {
    return isListType(getNullableType(this.typeOfData(route)));
  }

  private typeOfData(route: OperationRoute): GraphQLOutputType {
    let type: GraphQLOutputType = this.rootOf(route);
    for (const field of pathToData(route.document)) type = fieldOf(objectIn(type), field).type;
    return type;
  }

  private rootOf({ document }: OperationRoute): GraphQLObjectType {
    const operation = getOperationAST(document);
    const root = operation && this.schema.getRootType(operation.operation);
    if (!root) throw new Error('The schema lacks a root type');
    return root;
  }
}

/** The component that the payload or its items are: each route selects one fragment, and nothing beside it. */
function componentIn(data: Json): string {
  const { $ref } = (data['items'] as Json | undefined) ?? data;
  if (typeof $ref !== 'string') throw new Error('The data of a route needs to be one fragment');
  return $ref.slice($ref.lastIndexOf('/') + 1);
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

class DocumentWalk {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(
    document: DocumentNode,
    private readonly components: Record<string, Json>,
  ) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  value(type: GraphQLOutputType, field: FieldNode, facts: Json = {}): Json {
    if (!isNonNullType(type)) return orNull(this.nonNull(type, field, facts));
    return this.nonNull(type.ofType, field, facts);
  }

  private nonNull(type: GraphQLOutputType, field: FieldNode, facts: Json): Json {
    if (isListType(type))
      return { type: 'array', items: this.value(type.ofType as GraphQLOutputType, field), ...facts };
    if (isObjectType(type)) return this.object(type, field.selectionSet as SelectionSetNode);
    if (facts['$ref'] !== undefined) return facts;
    if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name), ...facts };
    return { ...scalarSchema(type.toString()), ...facts };
  }

  private object(type: GraphQLObjectType, selectionSet: SelectionSetNode): Json {
    const selections = selectionSet.selections.filter((selection) => !isEntityTag(selection));
    const [first] = selections;
    if (selections.length === 1 && first?.kind === Kind.FRAGMENT_SPREAD) return this.component(type, first.name.value);
    const fields = selections.filter((selection) => selection.kind === Kind.FIELD);
    return {
      type: 'object',
      ...(type.description ? { description: type.description } : {}),
      required: fields.map(responseName),
      properties: Object.fromEntries(fields.map((field) => [responseName(field), this.property(type, field)])),
    };
  }

  private component(type: GraphQLObjectType, name: string): Json {
    const fragment = this.fragments.get(name);
    if (fragment === undefined) throw new Error(`A document lacks the fragment ${name}`);
    // Named before it is walked: a component that holds itself must not be walked for ever.
    this.components[name] ??= {};
    if (Object.keys(this.components[name]).length === 0)
      this.components[name] = this.object(type, fragment.selectionSet);
    return ref('schemas', name);
  }

  private property(type: GraphQLObjectType, field: FieldNode): Json {
    const { type: fieldType, description } = fieldOf(type, field);
    const schema = this.value(fieldType, field, FIELD_FACTS[`${type.name}.${field.name.value}`]);
    return description ? { description, ...schema, ...('description' in schema ? { description } : {}) } : schema;
  }
}

/** Whether the answers of a route carry an `ETag`. */
export function isTagged({ document }: OperationRoute): boolean {
  let tagged = false;
  visit(document, {
    Field(field) {
      if (isEntityTag(field)) tagged = true;
    },
  });
  return tagged;
}

/** It goes into a header (rest/operation.ts). */
function isEntityTag(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && responseName(selection) === 'etag';
}

function fieldOf(type: GraphQLObjectType, { name: { value } }: FieldNode) {
  const field = type.getFields()[value];
  if (field === undefined) throw new Error(`A document of a route asks ${type.name} for ${value}, which it lacks`);
  return field;
}

function objectIn(type: GraphQLOutputType): GraphQLObjectType {
  const bare = getNullableType(type) as GraphQLOutputType;
  if (isListType(bare)) return objectIn(bare.ofType as GraphQLOutputType);
  if (!isObjectType(bare)) throw new Error(`${type.toString()} is no object`);
  return bare;
}
