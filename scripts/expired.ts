import {
  buildASTSchema,
  type DocumentNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  valueFromASTUntyped,
  visit,
  type ConstDirectiveNode,
} from 'graphql';
import { deprecationOf } from '../src/common/deprecation.js';

/**
 * A released schema without expired parts: members with a sunset until today, and the types that only they reference.
 */
export function withoutExpired(released: string, today: string): GraphQLSchema {
  const document = parse(released);
  const drop = ({ directives = [] }: { directives?: readonly ConstDirectiveNode[] | undefined }) =>
    isExpired(reasonIn(directives), today) ? null : undefined;
  const pruned = visit(document, {
    FieldDefinition: { enter: drop },
    InputValueDefinition: { enter: drop },
    EnumValueDefinition: { enter: drop },
  });
  const reached = reachableFrom(buildASTSchema(pruned));
  const lost = [...reachableFrom(buildASTSchema(document))].filter((name) => !reached.has(name));
  return buildASTSchema(withoutTypes(pruned, new Set(lost)));
}

function reasonIn(directives: readonly ConstDirectiveNode[]): string | undefined {
  const directive = directives.find(({ name }) => name.value === 'deprecated');
  const reason = directive?.arguments?.find(({ name }) => name.value === 'reason');
  return reason && String(valueFromASTUntyped(reason.value));
}

function isExpired(deprecationReason: string | undefined, today: string): boolean {
  const sunset = deprecationOf({ deprecationReason })?.sunset;
  return sunset !== undefined && sunset <= today;
}

function withoutTypes(document: DocumentNode, names: ReadonlySet<string>): DocumentNode {
  const definitions = document.definitions.filter(
    (definition) => !('name' in definition && definition.name !== undefined && names.has(definition.name.value)),
  );
  return { ...document, definitions };
}

/** Names of the types that are reachable from an operation by fields, arguments and members of unions. */
function reachableFrom(schema: GraphQLSchema): ReadonlySet<string> {
  const reached = new Set<string>();
  const reach = (type: GraphQLNamedType | null | undefined): void => {
    if (!type || reached.has(type.name)) return;
    reached.add(type.name);
    if (isUnionType(type)) type.getTypes().forEach(reach);
    if (isObjectType(type) || isInterfaceType(type)) {
      type.getInterfaces().forEach(reach);
      for (const { type: answered, args } of Object.values(type.getFields())) {
        reach(getNamedType(answered));
        for (const { type: taken } of args) reach(getNamedType(taken));
      }
    }
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) reach(getNamedType(field.type));
  };
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].forEach(reach);
  return reached;
}

/** A released OpenAPI document without operations, parameters and properties with a sunset until today. */
export function documentWithoutExpired<Document>(released: Document, today: string): Document {
  return pruned(released, today) as Document;
}

function pruned(value: unknown, today: string): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isOver(item, today)).map((item) => pruned(item, today));
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([, inner]) => !isOver(inner, today));
  const object = Object.fromEntries(left.map(([name, inner]) => [name, pruned(inner, today)]));
  const { properties, required } = object as { properties?: object; required?: unknown };
  if (properties === undefined || !Array.isArray(required)) return object;
  return { ...object, required: required.filter((name: string) => name in properties) };
}

function isOver(value: unknown, today: string): boolean {
  const sunset = (value as { 'x-sunset'?: string } | null | undefined)?.['x-sunset'];
  return sunset !== undefined && sunset <= today;
}
