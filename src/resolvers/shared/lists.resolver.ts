import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, type ClassType, Ctx, Info, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Order } from '../../common/selection.js';
import type { GraphQLContext } from '../../context.js';
import type { Page } from '../../database/cursor.js';
import { AuditEntryConnection } from '../../schema/audit.js';
import { Device } from '../../schema/devices/types.js';
import { DocumentVersion } from '../../schema/documents.js';
import { Incident } from '../../schema/incidents/types.js';
import { OrganizationUser } from '../../schema/members/types.js';
import { Organization } from '../../schema/organizations/types.js';
import { PageArgs } from '../../schema/shared/connection.js';
import { Nullable } from '../../schema/shared/types.js';
import { OrganizationApiToken } from '../../schema/tokens.js';
import { OrganizationControl } from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import type { AuditSubjectType } from '../../values/audit.js';
import { nestedList } from './connection.js';
import { FieldResolver, OrderBy } from './decorators.js';

/** A list below an object: what it is, its arguments beside those of the page, and how many of them are read at once. */
interface List<Parent, Filter extends object, Sort extends string> {
  description: string;
  nullable?: true;
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

/** Gives a type the list `name`; `parentOf` is what identifies an object of the type to the service. */
export function listOf<Row, Parent, Filter extends object = object, Sort extends string = never>(
  type: abstract new () => object,
  parentOf: (row: Row, typeName: string) => Parent,
  name: string,
  connection: ClassType,
  { description, nullable, filter, orderBy, authorize, load }: List<Parent, Filter, Sort>,
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
    constructor(private readonly services: Services) {}

    @FieldResolver(() => connection, description, { nullable })
    [name](
      @Root() row: Row,
      @Args(() => ListArgs) { filter: wanted, orderBy: order, ...page }: ListArgs,
      @Ctx() context: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const query = { page, ...(wanted as Filter), orderBy: order };
      return nestedList(context, info, query, parentOf(row, info.parentType.name), {
        authorize: (parent) => authorize(this.services, context.caller, parent),
        load: (parents, selection) => load(this.services, parents, query, selection, context.caller),
      });
    }
  }
  return ListResolver;
}

/** Gives organizations the list `name`. */
export function listOfOrganization<Filter extends object = object, Sort extends string = never>(
  name: string,
  connection: ClassType,
  list: List<number, Filter, Sort>,
) {
  return listOf(Organization, ({ id }: { id: number }) => id, name, connection, list);
}

/** Which subject of audit trails a row is. */
type SubjectOf = (row: never, typeName: string) => { type: AuditSubjectType; id: number | string };

/** Gives a type the list `history`; the projection of `history` reads the columns that it needs. */
function historyOf(type: abstract new () => object, subjectOf: SubjectOf) {
  const keyOf = (row: { organizationId: number }, typeName: string) => {
    const subject = subjectOf(row as never, typeName);
    return `${row.organizationId}/${subject.type}/${subject.id}` as const;
  };
  return listOf(type, keyOf, 'history', AuditEntryConnection, {
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
  historyOf(OrganizationApiToken, ({ tokenId }: { tokenId: number }) => ({ type: 'TOKEN', id: tokenId })),
  historyOf(Device, ({ id }: { id: number }, typeName) => ({
    ...{ type: typeName === 'CloudDefender' ? 'CLOUD_DEFENDER' : 'THREAT_BLOCKER', id },
  })),
];
