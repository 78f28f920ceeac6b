import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, type ClassType, Ctx, Extensions, Info, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Order, Selection } from '../../common/selection.js';
import type { GraphQLContext } from '../../http/context.js';
import type { Page } from '../../database/cursor.js';
import { notFound } from '../../errors.js';
import { batch } from '../../graphql/batch.js';
import { Device } from '../../schema/devices/types.js';
import { DocumentVersion } from '../../schema/documents.js';
import { Incident } from '../../schema/incidents/types.js';
import { OrganizationUser } from '../../schema/members/types.js';
import { Organization } from '../../schema/organizations/types.js';
import { type Connection, connectionOf, PageArgs } from '../../schema/shared/connection.js';
import { ServiceAccount } from '../../schema/service-accounts.js';
import { Nullable } from '../../schema/shared/types.js';
import { OrganizationApiToken } from '../../schema/tokens.js';
import { OrganizationControl } from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import type { AuditSubjectType } from '../../values/audit.js';
import { FieldResolver, listSelectionOf, OrderBy } from './decorators.js';
import { AuditEntry } from '../../schema/audit.js';

/** A page as the connection of the schema; edges and cursors are made only when they are read. */
export function connectionFrom<Item>(page: Page<object>): Connection<Item> {
  return new PageConnection<Item>(page);
}

/** A class, for its getters: see KeyedPage in database/page.ts. */
class PageConnection<Item> implements Connection<Item> {
  readonly nodes: Item[];
  readonly totalCount: number;

  constructor(private readonly page: Page<object>) {
    this.nodes = page.rows as Item[];
    this.totalCount = page.total ?? 0;
  }

  get edges(): { cursor: string; node: Item }[] {
    const { cursors } = this.page;
    return this.nodes.map((node, index) => ({ node, cursor: cursors[index] ?? '' }));
  }

  get pageInfo() {
    const { cursors, hasNextPage, hasPreviousPage } = this.page;
    return { hasNextPage, hasPreviousPage, startCursor: cursors[0] ?? null, endCursor: cursors.at(-1) ?? null };
  }
}

/** Identifies fields that may be loaded together: the same list, the same arguments, the same selection of items. */
export function batchKey(field: string, query: unknown, selected: Selection): string {
  let number = numbers.get(selected);
  if (number === undefined) numbers.set(selected, (number = last += 1));
  return `${field} ${number} ${JSON.stringify(query)}`;
}

/** A selection is one object for as long as its operation is compiled; a number identifies it in a text. */
const numbers = new WeakMap<Selection, number>();
let last = 0;

/**
 * Something below `parent`, loaded for all parents of the level at once. Each is authorized first, so that a refusal stays
 * with its own field, and all at once, so that none falls behind while its role is read. Throws NOT_FOUND for a parent
 * that nothing is found for: it has gone while it was remembered that the caller has access.
 */
export async function authorizedBatch<Parent, Value>(
  context: GraphQLContext,
  key: string,
  parent: Parent,
  authorize: (parent: Parent) => Promise<void>,
  load: (parents: readonly Parent[]) => Promise<ReadonlyMap<Parent, Value>>,
): Promise<Value> {
  await batch(context, `authorize ${key}`, parent, (parents: readonly Parent[]) => outcomes(parents, authorize));
  return batch<Parent, Value>(context, key, parent, async (parents) => {
    const found = await load(parents);
    return new Map(parents.map((each) => [each, found.get(each) ?? notFound()]));
  });
}

/** A batch that answers an Error for a parent rejects that parent and no other. */
async function outcomes<Parent>(
  parents: readonly Parent[],
  authorize: (parent: Parent) => Promise<void>,
): Promise<Map<Parent, unknown>> {
  const settled = await Promise.allSettled(parents.map(authorize));
  const inOrder = settled.map((one) => (one.status === 'rejected' ? (one.reason as unknown) : 'allowed'));
  return new Map(parents.map((parent, index) => [parent, inOrder[index]]));
}

/** A list below an object: its type, its arguments beside those of the page, and a loader for many parents. */
interface List<Parent, Filter extends object, Sort extends string> {
  description: string;
  nullable?: true;
  /** Its cost beside its items, where it is read for each parent by itself. */
  cost?: number;
  filter?: readonly [type: () => ClassType<Filter>, description: string];
  orderBy?: Parameters<typeof OrderBy<Sort>>;
  authorize(services: Services, caller: Caller, parent: Parent): Promise<void>;
  load(
    services: Services,
    parents: readonly Parent[],
    query: Filter & { page: PageArgs; orderBy?: Order<Sort> | null },
    selection: ListSelection,
    caller: Caller,
  ): Promise<ReadonlyMap<Parent, Page<object>>>;
}

/** Adds the list `name` of items to a type; `parentOf` returns the key of an object for the service. */
export function listOf<Row, Parent, Filter extends object = object, Sort extends string = never>(
  type: abstract new () => object,
  parentOf: (row: Row, typeName: string) => Parent,
  name: string,
  item: ClassType,
  { description, nullable, cost, filter, orderBy, authorize, load }: List<Parent, Filter, Sort>,
) {
  @ArgsType()
  class ListArgs extends PageArgs {
    filter?: Filter | null;
    orderBy?: Order<Sort> | null;
  }
  if (filter) Nullable(...filter)(ListArgs.prototype, 'filter');
  if (orderBy) Nullable(orderBy[0], orderBy[2], { defaultValue: orderBy[1] })(ListArgs.prototype, 'orderBy');

  @Resolver(() => type)
  class ListResolver {
    @FieldResolver(connectionOf(item), description, { nullable })
    async [name](
      @Root() row: Row,
      @Args(() => ListArgs) { filter: wanted, orderBy: order, ...page }: ListArgs,
      @Ctx() context: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = { page, ...(wanted as Filter), orderBy: order };
      const selection = listSelectionOf(info);
      const key = batchKey(`${info.parentType.name}.${name}`, [query, selection.total], selection.items);
      const found = await authorizedBatch(
        context,
        key,
        parentOf(row, info.parentType.name),
        (parent) => authorize(context.services, context.caller, parent),
        (parents) => load(context.services, parents, query, selection, context.caller),
      );
      return connectionFrom(found);
    }
  }
  if (cost !== undefined) Extensions({ cost })(ListResolver.prototype, name);
  return ListResolver;
}

/** Gives organizations the list `name` of items. */
export function listOfOrganization<Filter extends object = object, Sort extends string = never>(
  name: string,
  item: ClassType,
  list: List<number, Filter, Sort>,
) {
  return listOf(Organization, ({ id }: { id: number }) => id, name, item, list);
}

/** Which subject of audit trails a row is. */
type SubjectOf = (row: never, typeName: string) => { type: AuditSubjectType; id: number | string };

/** Gives a type the list `history`; the projection of `history` reads the columns that it needs. */
function historyOf(type: abstract new () => object, subjectOf: SubjectOf) {
  const keyOf = (row: { organizationId: number }, typeName: string) => {
    const subject = subjectOf(row as never, typeName);
    return `${row.organizationId}/${subject.type}/${subject.id}` as const;
  };
  return listOf(type, keyOf, 'history', AuditEntry, {
    description:
      'What the audit trail has about it and what belongs to it, newest first. Requires SECURITY_OFFICER; null with an error for lower roles.',
    nullable: true,
    authorize: ({ auditTrails }, caller, key) => auditTrails.authorize(caller, Number.parseInt(key)),
    load: ({ auditTrails }, keys, { page }, selection) => auditTrails.histories(keys, page, selection),
  });
}

/** One for each type that has the field. */
export const HISTORY_RESOLVERS = [
  historyOf(Incident, ({ id }: { id: number }) => ({ type: 'INCIDENT', id })),
  historyOf(DocumentVersion, ({ id }: { id: number }) => ({ type: 'DOCUMENT_VERSION', id })),
  historyOf(OrganizationControl, ({ workflowId, controlId }: { workflowId: string; controlId: string }) => ({
    ...{ type: 'CONTROL', id: `${workflowId}/${controlId}` },
  })),
  historyOf(OrganizationUser, ({ userId }: { userId: string }) => ({ type: 'MEMBER', id: userId })),
  historyOf(ServiceAccount, ({ id }: { id: string }) => ({ type: 'SERVICE_ACCOUNT', id })),
  historyOf(OrganizationApiToken, ({ tokenId }: { tokenId: number }) => ({ type: 'TOKEN', id: tokenId })),
  historyOf(Device, ({ id }: { id: number }, typeName) => ({
    ...{ type: typeName === 'CloudDefender' ? 'CLOUD_DEFENDER' : 'THREAT_BLOCKER', id },
  })),
];
