import { type GraphQLResolveInfo, type GraphQLSchema, isObjectType, Kind } from 'graphql';
import { ArgsType, type ClassType, Extensions, InputType, Int, ObjectType } from 'type-graphql';
import type { Order } from '../../common/selection.js';
import { COSTS } from '../../values/costs.js';
import { LIMITS } from '../../values/limits.js';
import { enumeration, Field, Nullable, type Plain } from './types.js';

/** One page of a list as a resolver gives it. */
export interface Connection<Item> {
  nodes: Item[];
  edges: { cursor: string; node: Item }[];
  pageInfo: PageInfo;
  /** Items that meet the filter, whatever the page (specification 2.1 `total`). */
  totalCount: number;
}

/** The type `<Item>Connection`. */
export function connectionOf(item: ClassType): () => ClassType {
  const { Connection } = typesOf(item);
  return () => Connection;
}

/** The type `<Item>Edge`. */
export function edgeOf(item: ClassType): () => ClassType {
  const { Edge } = typesOf(item);
  return () => Edge;
}

/** Made when they are first declared. */
function typesOf(item: ClassType): ListTypes {
  const types = lists.get(item) ?? newTypes(item);
  lists.set(item, types);
  return types;
}

interface ListTypes {
  Connection: ClassType;
  Edge: ClassType;
}

const lists = new Map<ClassType, ListTypes>();

function newTypes(item: ClassType): ListTypes {
  @ObjectType(`${item.name}Edge`, { description: `One item of a list of \`${item.name}\`, with its place in it.` })
  class Edge {
    @Field(() => String, 'Opaque place of the item: pass it as `after` or `before`.')
    cursor!: string;

    @Field(() => item, 'The item itself.')
    node!: object;
  }

  @ObjectType(`${item.name}Connection`, { description: `One page of a list of \`${item.name}\`.` })
  class Connection {
    @Field(() => [item], 'The items of the page, in order.')
    nodes!: object[];

    @Field(() => [Edge], 'The same items, each with its cursor.')
    edges!: Edge[];

    @Field(() => PageInfo, 'Where the page lies in the list.')
    pageInfo!: Plain<PageInfo>;

    @Extensions({ cost: COSTS.count })
    // Specification 2.1 total.
    @Field(
      () => Int,
      'Number of items that meet the filter, not of those on the page. It is counted only when it is selected.',
    )
    totalCount!: number;
  }

  return { Connection, Edge };
}

@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, 'Whether items follow the page.')
  hasNextPage!: boolean;

  @Field(() => Boolean, 'Whether items precede the page.')
  hasPreviousPage!: boolean;

  @Nullable(() => String, 'Cursor of the first item; null when the page is empty.')
  startCursor!: string | null;

  @Nullable(() => String, 'Cursor of the last item; null when the page is empty.')
  endCursor!: string | null;
}

/** The limits are those of LIMITS.page; a size outside is an error, not a silent clamp. */
@ArgsType()
export class PageArgs {
  @Nullable(() => Int, 'How many items from the front: 1 to 100. The default does not count beside `last` or `before`.')
  first?: number | null;

  @Nullable(() => String, 'Only items after this cursor; goes with `first`.')
  after?: string | null;

  @Nullable(() => Int, 'How many items from the end: 1 to 100. Not together with `first`.')
  last?: number | null;

  @Nullable(() => String, 'Only items before this cursor; goes with `last`.')
  before?: string | null;

  @Nullable(
    () => Int,
    'How many items to pass over, 0 or more, for clients that count pages. Not together with a cursor or `last`.',
  )
  offset?: number | null;
}

/** Shows the size of a page that is not chosen as the default of `first`, which steps aside for `last` and `before`. */
export function showPageSizes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const [first, last] = ['first', 'last'].map((wanted) => field.args.find(({ name }) => name === wanted));
      const { resolve } = field;
      if (first === undefined || last === undefined || resolve === undefined) continue;
      first.defaultValue = LIMITS.page.defaultSize;
      field.resolve = (source, values: PageValues, context, info) => {
        const isBackwards = (values.last ?? values.before ?? null) !== null;
        const own = isBackwards && !isGiven('first', info) ? { ...values, first: null } : values;
        return resolve(source, own, context, info) as unknown;
      };
    }
  }
}

interface PageValues {
  readonly last?: number | null;
  readonly before?: string | null;
}

/** Whether an argument has a value of the request, and not its default. */
function isGiven(argument: string, { fieldNodes, variableValues }: GraphQLResolveInfo): boolean {
  const value = fieldNodes[0]?.arguments?.find(({ name }) => name.value === argument)?.value;
  if (value === undefined) return false;
  return value.kind !== Kind.VARIABLE || variableValues[value.name.value] !== undefined;
}

type SortDirection = NonNullable<Order<string>['direction']>;

const SortDirectionEnum = enumeration<SortDirection>('SortDirection', 'Which way a list is ordered.', {
  ASC: 'Smallest, earliest or first of the alphabet first.',
  DESC: 'Largest, latest or last of the alphabet first.',
});

/** Creates the input type `<name>Order`. `direction` is the default one, with its meaning where given. */
export function orderOf<SortField extends string>(
  name: string,
  ordered: string,
  fields: Readonly<Record<SortField, SortField>>,
  [direction, meaning]: readonly [SortDirection, meaning?: string] = ['ASC'],
): ClassType<Order<SortField>> {
  const which = meaning === undefined ? 'Which way.' : `Which way; \`${direction}\` is ${meaning}.`;

  @InputType(`${name}Order`, { description: `How to order ${ordered}.` })
  class ListOrder {
    @Field(() => fields, 'What to order by.')
    field!: SortField;

    @Nullable(() => SortDirectionEnum, which, { defaultValue: direction })
    direction?: SortDirection | null;
  }
  return ListOrder;
}
