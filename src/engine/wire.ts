import {
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { MAX_FAULTS } from '../errors.js';
import { wireName } from '../vocabulary/wire-name.js';

export { wireName };

interface FieldShape {
  /** How the field is called on the other side. */
  name: string;
  shape: Shape | undefined;
}

/** Fields of an input object by their name on this side; undefined for what has no fields of ours. */
type Shape = ReadonlyMap<string, FieldShape>;

/**
 * One input object in REST's spelling. Only field names that the schema declares are renamed: whatever is inside a
 * JSON scalar is the customer's own, and a key that is not known keeps its name, for the fault that will name it.
 */
export class WireInput {
  private readonly inward: Shape;

  constructor(type: GraphQLInputObjectType) {
    this.inward = shapeOf(type, (name) => [wireName(name), name], new Map());
  }

  /** From REST's spelling to GraphQL's. The keys must be known: one in GraphQL's own spelling would slip through. */
  fromWire(value: unknown): unknown {
    return rename(value, this.inward);
  }

  /**
   * The same for fields that nobody has checked: what is not known, or `taken`, is left out and told, one sentence each.
   * GraphQL's own spelling of a field is unknown here.
   */
  read(
    fields: Record<string, unknown>,
    taken: ReadonlySet<string> = new Set(),
  ): { value: Record<string, unknown>; unknown: string[] } {
    const unknown = Object.keys(fields).filter((key) => taken.has(key));
    const left = Object.fromEntries(Object.entries(fields).filter(([key]) => !taken.has(key)));
    const strangers = new Set<string>(unknown);
    const value = rename(left, this.inward, (path) => {
      if (strangers.size <= MAX_FAULTS) strangers.add(path);
    }) as Record<string, unknown>;
    return { value, unknown: [...strangers].map((path) => `${path} is not a known field`) };
  }
}

function shapeOf(
  type: GraphQLInputObjectType,
  spell: (name: string) => [string, string],
  done: Map<string, Shape>,
): Shape {
  const known = done.get(type.name);
  if (known !== undefined) return known;
  const shape = new Map<string, FieldShape>();
  done.set(type.name, shape);
  for (const field of Object.values(type.getFields())) {
    const [from, to] = spell(field.name);
    const object = objectTypeIn(field.type);
    shape.set(from, { name: to, shape: object && shapeOf(object, spell, done) });
  }
  return shape;
}

function objectTypeIn(type: GraphQLInputType): GraphQLInputObjectType | undefined {
  const bare = getNullableType(type);
  if (isListType(bare)) return objectTypeIn(bare.ofType as GraphQLInputType);
  return isInputObjectType(bare) ? bare : undefined;
}

function rename(value: unknown, shape: Shape, stranger?: (path: string) => void, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => rename(item, shape, stranger, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const field = shape.get(key);
    const place = path === '' ? spoken(key) : `${path}.${spoken(key)}`;
    if (field === undefined && stranger !== undefined) {
      stranger(place);
      continue;
    }
    // defineProperty: a key "__proto__" is a key like any other, and must not become the object's prototype.
    Object.defineProperty(renamed, field?.name ?? key, {
      value: field?.shape ? rename(item, field.shape, stranger, place) : item,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return renamed;
}

/** Never a page of somebody's text. */
function spoken(key: string): string {
  return /^\w{1,64}$/.test(key) ? key : 'a field';
}
