import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  validate,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { Random } from '../attack/support/random.js';
import type { DemoFacts } from '../../src/demo/demo.js';

export interface Generated {
  query: string;
  document: DocumentNode;
  variables: Record<string, unknown>;
  operationName?: string;
}

/** Fields with values of the moment or of the request, and those that do not depend on a list's arguments. */
const UNSTABLE = new Set([
  ...[
    'downloadUrl',
    'evidencePackUrl',
    'proofUrl',
    'rateLimit',
    'lastUsedAt',
    'draftedAt',
    'weeklyReportPreview',
    'auditTrail',
  ],
  ...[
    'notificationsRevision',
    'history',
    'exportUrl',
    'limits',
    'formOptions',
    'webStat',
    'chartStat',
    'series',
    'reportingRegimes',
    'clock',
  ],
  ...['oscalComponentDefinition', 'oscalAssessmentResults'],
]);

type Values = Readonly<Record<string, unknown>>;

/**
 * Random documents over the schema: repeated fields with different selections, repeated fragments, interfaces, aliases,
 * `@skip` and `@include` everywhere, and each argument as a literal or as a variable in every form that GraphQL allows.
 */
export class GeneratedDocuments {
  private fragments = new Map<string, string>();
  private declared: string[] = [];
  private variables: Record<string, unknown> = {};
  private directives = 0;
  private aliases = 0;
  private readonly roots: Readonly<Record<string, Values>>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: Random,
    facts: DemoFacts,
    private readonly conditions: 'with conditions' | 'without conditions',
  ) {
    this.roots = rootsOf(facts);
  }

  next(): Generated {
    for (;;) {
      const generated = this.make();
      if (validate(this.schema, generated.document).length === 0) return generated;
    }
  }

  private make(): Generated {
    const { random } = this;
    this.fragments = new Map();
    this.declared = [];
    this.variables = {};
    this.directives = 0;
    this.aliases = 0;
    const isMutation = random.chance(0.1);
    const root = isMutation ? this.schema.getMutationType() : this.schema.getQueryType();
    const fields = isMutation ? Object.keys(UNCHANGING) : Object.keys(this.roots);
    const set = this.set(root!, 5, isMutation ? 1 : 1 + random.below(3), fields);
    const declared = this.declared.length === 0 ? '' : `(${this.declared.join(', ')})`;
    const operation = `${isMutation ? 'mutation' : 'query'} Main${declared} ${set}`;
    const others = random.chance(0.2) ? ['query Other { __typename }'] : [];
    const definitions = [operation, ...this.fragments.values(), ...others];
    const query = definitions.toSorted(() => random.next() - 0.5).join('\n');
    const isNamed = others.length > 0 || random.chance(0.2);
    const { variables } = this;
    return { query, document: parse(query), variables, ...(isNamed && { operationName: 'Main' }) };
  }

  /** Selections of a type, in braces. */
  private set(type: GraphQLCompositeType, depth: number, count: number, names?: readonly string[]): string {
    const { random } = this;
    const parts = Array.from({ length: count }, () => this.selection(type, depth, names));
    // The same selection again, elsewhere in the set and with its own condition.
    if (random.chance(0.2)) parts.push(`${random.pick(parts)}`);
    return `{ ${parts.join(' ')} }`;
  }

  private selection(type: GraphQLCompositeType, depth: number, names?: readonly string[]): string {
    const { random } = this;
    const kind = random.below(10);
    if (kind === 0) return `${this.alias()}__typename${this.condition()}`;
    if (kind <= 2) {
      const on = this.conditionType(type);
      const condition = random.chance(0.3) && on === type ? '' : ` on ${on.name}`;
      return `...${condition}${this.condition()} ${this.set(on, depth, 1 + random.below(3), names)}`;
    }
    if (kind <= 4) return `...${this.fragment(this.conditionType(type), depth, names)}${this.condition()}`;
    return this.field(type, depth, names);
  }

  /** The type itself, an interface that it implements, or one of an interface's types. */
  private conditionType(type: GraphQLCompositeType): GraphQLCompositeType {
    const { random } = this;
    if (random.chance(0.5)) return type;
    if (isAbstractType(type)) return random.pick(this.schema.getPossibleTypes(type));
    return isObjectType(type) ? random.pick([type, ...type.getInterfaces()]) : type;
  }

  /** The name of a fragment on the type: a new one, or an existing one. */
  private fragment(type: GraphQLCompositeType, depth: number, names?: readonly string[]): string {
    const { random } = this;
    const prefix = `On${type.name}${depth}_`;
    const known = [...this.fragments.keys()].filter((name) => name.startsWith(prefix));
    if (known.length > 0 && random.chance(0.7)) return random.pick(known);
    const set = this.set(type, depth, 1 + random.below(3), names);
    const name = `${prefix}${this.fragments.size}`;
    this.fragments.set(name, `fragment ${name} on ${type.name} ${set}`);
    return name;
  }

  private field(type: GraphQLCompositeType, depth: number, names?: readonly string[]): string {
    const { random } = this;
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const usable = fields.filter((field) => (names ? names.includes(field.name) : this.isUsable(field, depth)));
    if (usable.length === 0) return '__typename';
    const field = random.pick(usable);
    const args = this.argumentsOf(type.name, field);
    const named = getNamedType(field.type);
    const below = isCompositeType(named) ? ` ${this.set(named, depth - 1, 1 + random.below(4))}` : '';
    // Aliases that may conflict: the document is valid only if both are the same field with the same arguments.
    return `${this.alias()}${field.name}${args}${this.condition()}${below}`;
  }

  private isUsable(field: GraphQLField<unknown, unknown>, depth: number): boolean {
    if (UNSTABLE.has(field.name) || field.args.some(isRequiredArgument)) return false;
    return depth > 0 || !isCompositeType(getNamedType(field.type));
  }

  private argumentsOf(on: string, field: GraphQLField<unknown, unknown>): string {
    const values: Values = on === 'Query' ? this.roots[field.name]! : on === 'Mutation' ? UNCHANGING[field.name]! : {};
    const given = Object.entries({ ...this.pageOf(field), ...values });
    const texts = given.map(([name, value]) => {
      const arg = field.args.find((each) => each.name === name)!;
      return `${name}: ${this.argument(arg, value)}`;
    });
    return texts.length === 0 ? '' : `(${texts.join(', ')})`;
  }

  /** Small pages of few sizes, so that fields with the same arguments occur. */
  private pageOf({ args }: GraphQLField<unknown, unknown>): Values {
    const { random } = this;
    const has = (name: string) => args.some((arg) => arg.name === name);
    if (!has('first')) return {};
    const filter = args.find(({ name }) => name === 'filter');
    const filters = filter ? FILTERS[getNamedType(filter.type).name] : undefined;
    const orders = args.some((arg) => arg.name === 'orderBy')
      ? ORDERS[getNamedType(args.find((arg) => arg.name === 'orderBy')!.type).name]
      : undefined;
    const isLast = has('last') && random.chance(0.2);
    return {
      ...(isLast ? { last: 2 } : { first: random.pick([1, 2, 2, 3]) }),
      ...(orders && random.chance(0.3) && { orderBy: random.pick(orders) }),
      ...(filters && random.chance(0.4) && { filter: random.pick(filters) }),
    };
  }

  /** A literal, or a variable: declared with or without a default, sent, absent, or as a value that is coerced. */
  private argument({ name, type }: GraphQLArgument, value: unknown): string {
    const { random } = this;
    if (random.chance(0.4)) return literal(value);
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && random.chance(0.5)) {
      const input = getNullableType(type);
      const fields = Object.entries(value).map(([key, inner]) => {
        const field = 'getFields' in input ? (input.getFields() as Record<string, GraphQLArgument>)[key] : undefined;
        return `${key}: ${field === undefined ? literal(inner) : this.argument(field, inner)}`;
      });
      return `{ ${fields.join(', ')} }`;
    }
    const variable = `${name}${this.declared.length}`;
    const isSingle = isListType(getNullableType(type)) && Array.isArray(value) && value.length === 1;
    const sent: unknown = isSingle && random.chance(0.5) ? (value as unknown[])[0] : value;
    if (random.chance(0.15)) return this.oddVariable(variable, type, sent);
    if (random.chance(0.3)) {
      this.declared.push(`$${variable}: ${type.toString()} = ${literal(sent)}`);
      if (random.chance(0.5)) this.variables[variable] = plain(sent);
    } else {
      const required = type.toString().endsWith('!') || random.chance(0.5) ? '' : '!';
      this.declared.push(`$${variable}: ${type.toString()}${required}`);
      this.variables[variable] = plain(sent);
    }
    return `$${variable}`;
  }

  /** A variable that is absent, null or of another type, in a valid document. */
  private oddVariable(name: string, type: GraphQLInputType, value: unknown): string {
    const { random } = this;
    const nullable = getNullableType(type).toString();
    const hasDefault = isNonNullType(type) || random.chance(0.3);
    this.declared.push(`$${name}: ${nullable}${hasDefault ? ` = ${literal(value)}` : ''}`);
    const isOfOurs = isScalarType(getNamedType(type)) && !isSpecifiedScalarType(getNamedType(type));
    const odd = random.pick(
      isOfOurs ? [undefined, null] : [undefined, null, undefined, null, [], {}, 'word', 1.5, [null]],
    );
    if (odd !== undefined) this.variables[name] = odd;
    return `$${name}`;
  }

  private alias(): string {
    if (this.aliases >= 45 || !this.random.chance(0.15)) return '';
    this.aliases += 1;
    return `${this.random.pick(['a', 'b', 'c', 'id', 'name'])}: `;
  }

  private condition(): string {
    const { random } = this;
    if (this.conditions === 'without conditions' || this.directives >= 20 || !random.chance(0.25)) return '';
    this.directives += 1;
    return ` @${random.pick(['skip', 'include'])}(if: ${this.flag()})`;
  }

  private flag(): string {
    const { random } = this;
    if (random.chance(0.4)) return String(random.chance(0.5));
    const known = Object.keys(this.variables).filter((name) => name.startsWith('flag'));
    if (known.length > 0 && random.chance(0.5)) return `$${random.pick(known)}`;
    const name = `flag${this.declared.length}`;
    const hasDefault = random.chance(0.3);
    this.declared.push(`$${name}: Boolean${hasDefault ? ` = ${random.chance(0.5)}` : '!'}`);
    if (!hasDefault || random.chance(0.5)) this.variables[name] = random.chance(0.5);
    return `$${name}`;
  }
}

/** An enum's value, which has no quotes in a document. */
class Name {
  constructor(readonly name: string) {}
}

function literal(value: unknown): string {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${literal(inner)}`)
    .join(', ')} }`;
}

/** The value as JSON has it. */
function plain(value: unknown): unknown {
  if (value instanceof Name) return value.name;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

const FILTERS: Readonly<Record<string, readonly Values[]>> = {
  IncidentFilter: [{ status: new Name('OPEN') }, { significant: true }, { significant: false }],
  DeviceFilter: [{ deleted: true }, { search: 'a' }, { status: null }],
  NotificationFilter: [{ read: false }, { type: new Name('INCIDENT') }],
  OrganizationControlFilter: [{ overdue: true }, { status: new Name('DONE') }],
  OrganizationUserFilter: [{ role: new Name('VIEWER') }, { active: null }],
};

const ORDERS: Readonly<Record<string, readonly Values[]>> = {
  IncidentOrder: [{ field: new Name('SEVERITY') }, { field: new Name('CREATED_AT'), direction: new Name('ASC') }],
  DeviceOrder: [{ field: new Name('NAME'), direction: new Name('DESC') }],
  NotificationOrder: [{ field: new Name('DATETIME'), direction: new Name('ASC') }],
  OrganizationUserOrder: [{ field: new Name('EMAIL') }],
};

/** Values of mutations without effect, because the data already has them, or nothing is sent. */
const UNCHANGING: Readonly<Record<string, Values>> = {
  updateProfile: { input: {} },
  markNotificationsRead: { input: { notificationIds: [], read: true } },
};

function rootsOf(facts: DemoFacts): Readonly<Record<string, Values>> {
  const { organization_id: organizationId, workflow_id: workflowId, incident_id: incidentId } = facts;
  const nodes = [
    `Organization:${organizationId}`,
    `Incident:${incidentId}`,
    `CloudDefender:${facts.cloud_defender_id}`,
    `ThreatBlocker:${facts.atb_id}`,
    'Incident:999999',
  ];
  return {
    organization: { id: organizationId },
    node: { id: nodes[2] },
    nodes: { ids: nodes },
    incident: { id: String(incidentId), organizationId },
    viewer: {},
    notifications: {},
    cloudDefenders: {},
    threatBlockers: { organizationId },
    threatBlocker: { id: facts.atb_id },
    organizationWorkflow: { organizationId, workflowId },
    organizationControl: { organizationId, workflowId, controlId: facts.artifact_id },
    portfolio: {},
    work: { assignee: new Name('ANYONE'), dueBefore: '2100-01-01T00:00:00Z' },
    workflow: { id: workflowId },
    roles: {},
    search: { query: 'in', types: [new Name('INCIDENT')] },
  };
}
