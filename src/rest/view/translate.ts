import {
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
} from 'graphql';
import { corePath, type CompiledOperation, type CorePath, type CoreStep, type Place } from './core-path.js';
import type { OperationRoute } from '../route.js';
import { coreField, type CoreField } from './view.js';

/**
 * An operation on the REST view, as SOFA generates it, as an operation on the core schema: names of the view become
 * aliases, the envelope becomes the path to the data, and parameters become variables. Beside `data`, or in it, it
 * selects what an answer needs besides: `total`, `etag`, and whether something was `created`.
 */
export function toCoreDocument(view: GraphQLSchema, route: CompiledOperation, generated: DocumentNode): DocumentNode {
  return documentAt(route.core, route, withVersion(route, selectionOfData(view, generated)));
}

/** The same for a table, which is read page by page: each page says where the next one begins. */
export function toTableDocument(view: GraphQLSchema, route: CompiledOperation, generated: DocumentNode): DocumentNode {
  const path = route.core;
  const connection = path.steps.length - 2;
  const steps = path.steps.map((step, index) => (index === connection ? withCursor(step) : step));
  const data = selectionOfData(view, generated);
  return documentAt({ ...path, steps, hasTotal: false }, route, data, 'page: pageInfo { endCursor hasNextPage }');
}

function withCursor({ field, places }: CoreStep): CoreStep {
  const filled = field.args.find(({ name }) => name === 'after');
  if (filled === undefined) throw new Error(`The field ${field.name} has no cursors`);
  return { field, places: [...places, { argument: 'after', type: filled.type, variable: 'after', filled }] };
}

/** An operation that selects one value, such as the revision of an answer. */
export function valueDocument(core: GraphQLSchema, route: OperationRoute, value: string): DocumentNode {
  return documentAt(corePath(core, { ...route, data: value, path: '', parameters: undefined }), route, '');
}

function documentAt(path: CorePath, route: OperationRoute, data: string, more = ''): DocumentNode {
  const variables = path.steps.flatMap(({ places }) => places.map(({ variable, type }) => `$${variable}: ${type}`));
  const root = path.root.name.toLowerCase();
  const declared = variables.length > 0 ? `(${variables.join(', ')})` : '';
  return parse(`${root} ${route.operationId}${declared} ${selectionAt(path, route, data, more)}`, { noLocation: true });
}

/** The fields from the root down to the data, and the selection beside it. */
function selectionAt(
  { steps, hasTotal, readsTable, version }: CorePath,
  route: OperationRoute,
  data: string,
  more: string,
): string {
  const beside = [
    more,
    ...(hasTotal ? ['total: totalCount'] : []),
    ...(readsTable ? ['ignoredColumns'] : []),
    ...(route.follows === undefined ? [] : [`next: ${route.follows} behind: pageInfo { hasNextPage }`]),
    ...(route.etag && version === 'beside data' ? ['etag: version'] : []),
    ...(route.createdWhen === undefined ? [] : [route.createdWhen]),
  ];
  const last = steps.length - 1;
  return steps.reduceRight((below, { field, places }, index) => {
    const selected = `${field.name}${argumentsOf(places)} ${below}`;
    return index === last ? `{ data: ${selected} ${beside.join(' ')} }` : `{ ${selected} }`;
  }, data);
}

function argumentsOf(places: readonly Place[]): string {
  const whole = places.filter(({ filterField }) => filterField === undefined);
  const filter = places.flatMap(({ filterField, variable }) => (filterField ? [`${filterField}: $${variable}`] : []));
  const all = [
    ...whole.map(({ argument, variable }) => `${argument}: $${variable}`),
    ...(filter.length > 0 ? [`filter: { ${filter.join(', ')} }`] : []),
  ];
  return all.length > 0 ? `(${all.join(', ')})` : '';
}

/** The selection of the data, in names of the core. */
function selectionOfData(view: GraphQLSchema, generated: DocumentNode): string {
  const typeInfo = new TypeInfo(view);
  let selected = '';
  const leave = (node: FieldNode) => {
    const field = typeInfo.getFieldDef();
    const core = field ? coreField(field) : undefined;
    if (core === undefined && node.name.value === 'data') selected = node.selectionSet ? print(node.selectionSet) : '';
    const isSame = core?.name === node.name.value && core.value === undefined;
    return core === undefined || isSame ? undefined : renamed(node, core);
  };
  visit(generated, visitWithTypeInfo(typeInfo, { Field: { leave } }));
  return selected;
}

function renamed(node: FieldNode, { name, value }: CoreField): FieldNode {
  const named = { ...node, name: { kind: Kind.NAME, value: name }, alias: node.name } as const;
  if (value === undefined) return named;
  const field = { kind: Kind.FIELD, name: { kind: Kind.NAME, value } } as const;
  return { ...named, selectionSet: { kind: Kind.SELECTION_SET, selections: [field] } };
}

/** Where, from the data on, the answer of the core has something else than the view shows. */
export interface ShownValue {
  readonly path: readonly string[];
  /** The only shown field of the object. */
  readonly value?: string | undefined;
  readonly empty?: CoreField['empty'];
}

export function shownValues(view: GraphQLSchema, generated: DocumentNode): readonly ShownValue[] {
  const typeInfo = new TypeInfo(view);
  const at: string[] = [];
  const shown: ShownValue[] = [];
  const enter = (node: FieldNode) => {
    at.push(node.name.value);
    const field = typeInfo.getFieldDef();
    const { value, empty } = (field && coreField(field)) ?? {};
    // The first two are the operation and its data.
    if (value || empty) shown.push({ path: at.slice(2), value, empty });
  };
  visit(generated, visitWithTypeInfo(typeInfo, { Field: { enter, leave: () => void at.pop() } }));
  return shown;
}

function withVersion({ core, etag }: CompiledOperation, data: string): string {
  return etag && core.version === 'in data' ? data.replace(/\}$/, ' etag: version }') : data;
}
