import {
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { deprecationOf, describedWith, publishedDeprecation } from '../../common/deprecation.js';
import { ANSWERED, type Json, orNull } from '../../common/input-schema.js';
import { FRAMEWORK_VALUES, INFRASTRUCTURES } from '../../values/enums.js';
import { hasCodes } from '../answer/answer.js';
import { restEnum } from '../request/rest-input.js';
import { variantsOf, type OperationRoute } from '../route.js';
import { EXAMPLES } from '../routes.js';
import { coreField, isView } from '../view/view.js';
import { ref } from '../../common/published-schema.js';

/** Schemas of answers, derived from the REST view: views become components with their names. */
export class AnswerSchemas {
  readonly components: Record<string, Json> = {};

  constructor(private readonly view: GraphQLSchema) {}

  /** The envelope of a route's success (specification 2.1), as a component. */
  envelopeOf(route: OperationRoute): Json {
    const { name } = this.#envelope(route);
    const [data, ...including] = variantsOf(route).map((each) => this.#value(this.#dataOf(each)));
    const any = including.length === 0 ? data! : { anyOf: [...including, data!] };
    const type = hasCodes(route.path) ? ['string', 'integer'] : 'string';
    this.components[name] ??= envelope(any, type, this.isList(route) ? { total: TOTAL } : {});
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
      required: fields.filter((field) => coreField(field)?.empty !== 'left out').map(({ name }) => name),
      properties: Object.fromEntries(
        fields.map((field) => {
          const { type: of, name } = coreField(field) ?? {};
          const schema = this.#value(field.type, FIELD_FACTS[`${of}.${name}`]);
          const text = describedWith(field.description, field.deprecationReason);
          return [field.name, { ...described(schema, text), ...publishedDeprecation(deprecationOf(field)) }];
        }),
      ),
    };
  }
}

function described(schema: Json, description: string | null | undefined): Json {
  return description ? { description, ...schema, ...('description' in schema ? { description } : {}) } : schema;
}

function envelope(data: Json, messageType: Json[string], beside: Json): Json {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['error', 'messages', 'data', ...Object.keys(beside)],
    properties: {
      error: { type: 'integer', const: 0, description: '0 means success.' },
      messages: { type: 'array', maxItems: 0, items: { type: messageType }, description: 'Empty on success.' },
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

function scalarSchema(name: string): Json {
  const schema = ANSWERED[name];
  if (schema === undefined) throw new Error(`The interface description does not know the scalar ${name}`);
  return schema;
}

const SUM = { type: 'integer', format: 'int64', minimum: 0 };

/** Facts of fields beyond their GraphQL types: formats, values, limits. By `Type.field`. */
const FIELD_FACTS: Readonly<Record<string, Json>> = {
  'OrganizationUser.userId': { format: 'uuid' },
  'OrganizationUser.email': { format: 'email' },
  'Invitation.email': { format: 'email' },
  'InvitationPreview.email': { format: 'email' },
  'AcceptInvitationPayload.userId': { format: 'uuid' },
  'AcceptInvitationPayload.email': { format: 'email' },
  'OrganizationApiToken.userId': { format: 'uuid' },
  'User.databaseId': { format: 'uuid' },
  'DocumentVersion.downloadUrl': { format: 'uri' },
  'DocumentVersion.sha256': { pattern: '^[0-9a-f]{64}$' },
  'IncidentAttachment.downloadUrl': { format: 'uri' },
  'ThreatBlocker.atbKey': { format: 'uuid' },
  'DevicePoint.wafProtection': SUM,
  'DevicePoint.totalManagedRequests': SUM,
  'ThreatBlockerPoint.wafProtection': SUM,
  'ThreatBlockerPoint.totalManagedRequests': SUM,
  'ThreatBlockerPoint.totalRequests': SUM,
  'ThreatBlockerPoint.maliciousRequests': SUM,
  'OrganizationSettings.reportWeekday': { minimum: 1, maximum: 7 },
  'Organization.sectors': { items: ref('schemas', 'Sector') },
  'Organization.industries': { items: ref('schemas', 'Industry') },
  'Organization.nis2Sector': ref('schemas', 'Nis2Sector'),
  'Organization.infrastructure': { enum: ['', ...INFRASTRUCTURES] },
  'Organization.domains': { items: { type: 'string', format: 'hostname' } },
  'Organization.ips': { items: { type: 'string', format: 'ipv4' } },
  'ComplianceFramework.value': { enum: FRAMEWORK_VALUES },
  // Laws that come have others.
  'Incident.category': { enum: undefined },
  'RegimeCategory.category': { enum: undefined },
};

/**
 * An example of what a view shows: fields of the example of its type, in their order, and `given` where that is another.
 * What neither has is null, empty, false or left out; an object is the example of its own type.
 */
export function exampleOf(type: GraphQLOutputType, given: unknown): unknown {
  const bare = getNullableType(type);
  if (given === undefined) return isNonNullType(type) ? nothing(bare) : null;
  if (given === null) return null;
  if (isListType(bare)) return (given as unknown[]).map((item) => exampleOf(bare.ofType as GraphQLOutputType, item));
  if (!isObjectType(bare)) return given;
  const fields = Object.values(bare.getFields()).flatMap((field) => {
    const core = coreField(field);
    const none = core?.empty === 'for null' ? '' : undefined;
    const { [field.name]: own = EXAMPLES[core?.type ?? '']?.[field.name] ?? none } = given as Record<string, unknown>;
    if (core?.empty === 'left out' && own !== true) return [];
    return [[field.name, exampleOf(field.type, own)] as const];
  });
  return Object.fromEntries(fields);
}

const NOTHING: Readonly<Record<string, unknown>> = { Boolean: false, String: '' };

function nothing(type: GraphQLOutputType): unknown {
  if (isListType(type)) return [];
  if (isObjectType(type)) return exampleOf(type, {});
  if (!(type.toString() in NOTHING)) throw new Error(`An example lacks a value of the type ${type.toString()}`);
  return NOTHING[type.toString()];
}
