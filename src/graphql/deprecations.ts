import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { deprecationOf, type Deprecatable, type Deprecation } from '../common/deprecation.js';

/** A deprecated part of the schema that an operation uses, as `extensions.deprecations` lists it. */
interface UsedDeprecation {
  /** `Type.field`, `Type.field(argument:)`, `Input.field` or `Enum.VALUE`. */
  coordinate: string;
  reason: string;
  sunset: string;
}

/** Deprecated parts of an operation, whatever its variables are. */
interface Uses {
  inDocument: ReadonlyMap<string, Deprecatable>;
  /** Variables whose values may have deprecated parts. */
  variables: readonly (readonly [name: string, type: GraphQLInputType])[];
}

/** Finds the deprecated parts of operations: once for each operation, and not at all while the schema has none. */
export class Deprecations {
  private readonly known = new WeakMap<OperationDefinitionNode, Uses>();
  private hasAny: boolean | undefined;

  constructor(private readonly schema: GraphQLSchema) {}

  /** Undefined for an operation without any. */
  usedBy(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    values: Readonly<Record<string, unknown>>,
  ): UsedDeprecation[] | undefined {
    this.hasAny ??= Object.values(this.schema.getTypeMap()).some(hasDeprecated);
    if (!this.hasAny) return undefined;
    let uses = this.known.get(operation);
    if (uses === undefined) this.known.set(operation, (uses = this.usesOf(document, operation)));
    const { inDocument, variables } = uses;
    if (inDocument.size + variables.length === 0) return undefined;
    const found = new Map(inDocument);
    for (const [name, type] of variables) collect(type, values[name], found);
    if (found.size === 0) return undefined;
    return [...found].map(([coordinate, part]) => ({
      coordinate,
      reason: part.deprecationReason!,
      sunset: deprecationOf(part)!.sunset,
    }));
  }

  private usesOf(document: DocumentNode, operation: OperationDefinitionNode): Uses {
    const inDocument = new Map<string, Deprecatable>();
    const fragments = new Set<string>();
    const note = (coordinate: string, part: Deprecatable) => {
      if (part.deprecationReason != null) inDocument.set(coordinate, part);
    };
    const types = new TypeInfo(this.schema);
    const visitor = visitWithTypeInfo(types, {
      FragmentSpread: ({ name }) => void fragments.add(name.value),
      Field() {
        const field = types.getFieldDef();
        if (field) note(`${types.getParentType()?.name}.${field.name}`, field);
      },
      Argument() {
        const argument = types.getArgument();
        // Directives have no deprecated arguments.
        if (argument && !types.getDirective())
          note(`${types.getParentType()?.name}.${types.getFieldDef()?.name}(${argument.name}:)`, argument);
      },
      ObjectField({ name }) {
        const type = getNamedType(types.getParentInputType());
        const field = isInputObjectType(type) ? type.getFields()[name.value] : undefined;
        if (field) note(`${type}.${field.name}`, field);
      },
      EnumValue() {
        const value = types.getEnumValue();
        if (value) note(`${getNamedType(types.getInputType())}.${value.name}`, value);
      },
    });
    visit(operation, visitor);
    // A set is walked to its end, also when it grows meanwhile.
    for (const name of fragments)
      for (const part of document.definitions)
        if (part.kind === Kind.FRAGMENT_DEFINITION && part.name.value === name) visit(part, visitor);
    const variables = (operation.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
      const type = typeFromAST(this.schema, node as never) as GraphQLInputType;
      return mayHaveDeprecated(getNamedType(type)) ? [[variable.name.value, type] as const] : [];
    });
    return { inDocument, variables };
  }
}

/** The deprecated parts of a value that was sent for an input: fields of objects, and values of enums by their names. */
export function deprecatedPartsOf(type: GraphQLInputType, value: unknown): Deprecation[] {
  const found = new Map<string, Deprecatable>();
  collect(type, value, found);
  return [...found.values()].map((part) => deprecationOf(part)!);
}

function collect(type: GraphQLInputType, value: unknown, found: Map<string, Deprecatable>): void {
  if (value == null) return;
  const bare = getNullableType(type);
  if (isListType(bare)) {
    for (const item of [value].flat()) collect(bare.ofType as GraphQLInputType, item, found);
  } else if (isEnumType(bare)) {
    const member = typeof value === 'string' ? bare.getValue(value) : undefined;
    if (member?.deprecationReason != null) found.set(`${bare.name}.${member.name}`, member);
  } else if (isInputObjectType(bare) && typeof value === 'object') {
    for (const field of Object.values(bare.getFields())) {
      const inner = (value as Record<string, unknown>)[field.name];
      if (inner === undefined) continue;
      if (field.deprecationReason != null) found.set(`${bare.name}.${field.name}`, field);
      collect(field.type, inner, found);
    }
  }
}

/** Whether a value of the type, or of a type inside of it, may have a deprecated part. */
export function mayHaveDeprecated(type: GraphQLNamedType, seen = new Set<GraphQLNamedType>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  if (hasDeprecated(type)) return true;
  if (!isInputObjectType(type)) return false;
  return Object.values(type.getFields()).some((field) => mayHaveDeprecated(getNamedType(field.type), seen));
}

function hasDeprecated(type: GraphQLNamedType): boolean {
  return partsOf(type).some(([, { deprecationReason }]) => deprecationReason != null);
}

/** Parts of a type that may be deprecated, by their coordinates. */
export function partsOf(type: GraphQLNamedType): (readonly [coordinate: string, part: Deprecatable])[] {
  const named = (parts: readonly (Deprecatable & { name: string })[]) =>
    parts.map((part) => [`${type.name}.${part.name}`, part] as const);
  if (isEnumType(type)) return named(type.getValues());
  if (isInputObjectType(type)) return named(Object.values(type.getFields()));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = Object.values(type.getFields());
  return [
    ...named(fields),
    ...fields.flatMap(({ name, args }) => args.map((each) => [`${type.name}.${name}(${each.name}:)`, each] as const)),
  ];
}
