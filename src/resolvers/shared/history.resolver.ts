import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../../context.js';
import { AuditEntryConnection } from '../../schema/audit/types.js';
import { Device } from '../../schema/devices/types.js';
import { DocumentVersion } from '../../schema/documents/types.js';
import { Incident } from '../../schema/incidents/types.js';
import { OrganizationUser } from '../../schema/members/types.js';
import { PageArgs } from '../../schema/shared/connection.js';
import { OrganizationApiToken } from '../../schema/tokens/types.js';
import { OrganizationControl } from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import type { AuditSubjectType } from '../../values/audit.js';
import { nestedList } from './connection.js';

interface OwnedRow {
  organizationId: number;
}

/** Which subject of audit trails a row is. */
type SubjectOf = (row: never, typeName: string) => { type: AuditSubjectType; id: number | string };

/** Gives a type the field `history`; the projection of `history` reads the columns that it needs. */
function historyOf(type: abstract new () => object, subjectOf: SubjectOf) {
  @Resolver(() => type)
  class HistoryResolver {
    constructor(private readonly services: Services) {}

    @FieldResolver(() => AuditEntryConnection, {
      nullable: true,
      description:
        'What the audit trail has about it and what belongs to it, newest first. Requires SECURITY_OFFICER; null with an error for lower roles.',
    })
    history(
      @Root() row: OwnedRow,
      @Args(() => PageArgs) page: PageArgs,
      @Ctx() context: GraphQLContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const { type: subjectType, id } = subjectOf(row as never, info.parentType.name);
      const key = `${row.organizationId}/${subjectType}/${id}` as const;
      return nestedList(context, info, page, key, {
        authorize: () => this.services.auditTrails.authorize(context.caller, row.organizationId),
        load: (keys, selection) => this.services.auditTrails.histories(keys, page, selection),
      });
    }
  }
  return HistoryResolver;
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
