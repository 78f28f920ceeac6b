import {
  isAbstractType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';
import type { Selection } from '../common/selection.js';

/**
 * The selection below the field being resolved. A compiled operation hands in the same array of nodes each time, so
 * that the walk is made once for an operation. `@skip` and `@include` are ignored: reading a column too many is
 * harmless. Fields of every possible type are joined; aliases do not matter.
 */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  return selectionFor(info, undefined);
}

/** The same below a field whose type is an interface, for an object of this type. */
export function selectionFor(info: GraphQLResolveInfo, type: string | undefined): Selection {
  let selections = known.get(info.fieldNodes);
  if (selections === undefined) known.set(info.fieldNodes, (selections = new Map<string | undefined, Selection>()));
  let selection = selections.get(type);
  if (selection === undefined) selections.set(type, (selection = walk(info, info.fieldNodes, type)));
  return selection;
}

const known = new WeakMap<readonly FieldNode[], Map<string | undefined, Selection>>();

class FieldSelection implements Selection {
  constructor(private readonly children: ReadonlyMap<string, Selection>) {}

  get fields(): readonly string[] {
    return [...this.children.keys()];
  }

  has(field: string): boolean {
    return this.children.has(field);
  }

  of(field: string): Selection {
    return this.children.get(field) ?? NOTHING;
  }
}

const NOTHING: Selection = new FieldSelection(new Map());

/** With `type`, fragments on other types are left out at the first level. */
function walk(info: GraphQLResolveInfo, nodes: readonly FieldNode[], type?: string): Selection {
  const gathered = new Map<string, FieldNode[]>();
  for (const node of nodes) if (node.selectionSet) gather(info, node.selectionSet, gathered, type);
  const children = new Map<string, Selection>();
  for (const [name, fields] of gathered) children.set(name, walk(info, fields));
  return children.size === 0 ? NOTHING : new FieldSelection(children);
}

function gather(info: GraphQLResolveInfo, set: SelectionSetNode, into: Map<string, FieldNode[]>, type?: string): void {
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      // Both are made of the key of a record, which it calls `id`.
      const name = node.name.value === 'databaseId' ? 'id' : node.name.value;
      const fields = into.get(name);
      if (fields === undefined) into.set(name, [node]);
      else fields.push(node);
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : info.fragments[node.name.value];
    if (fragment && appliesTo(info, fragment.typeCondition?.name.value, type))
      gather(info, fragment.selectionSet, into, type);
  }
}

function appliesTo({ schema }: GraphQLResolveInfo, condition: string | undefined, type: string | undefined): boolean {
  if (condition === undefined || type === undefined || condition === type) return true;
  const [abstract, object] = [schema.getType(condition), schema.getType(type)];
  return isAbstractType(abstract) && isObjectType(object) && schema.isSubType(abstract, object);
}

/** The union of two selections: of the items of a connection, which are reached in two ways. */
export function joined(one: Selection, other: Selection): Selection {
  if (other.fields.length === 0) return one;
  if (one.fields.length === 0) return other;
  let others = joins.get(one);
  if (others === undefined) joins.set(one, (others = new WeakMap()));
  let both = others.get(other);
  if (both === undefined) {
    const names = new Set([...one.fields, ...other.fields]);
    both = new FieldSelection(new Map([...names].map((name) => [name, joined(one.of(name), other.of(name))])));
    others.set(other, both);
  }
  return both;
}

/** Selection of an object that a mutation has made: of itself, and of its edge in a list. */
export function ofMade(selection: Selection, field: string): Selection {
  const edge = selection.of(`${field}Edge`);
  return joined(joined(selection.of(field), edge.of('node')), edge);
}

const joins = new WeakMap<Selection, WeakMap<Selection, Selection>>();
