import type { GraphQLResolveInfo } from 'graphql';
import { type ClassType, Ctx, Info, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { GraphQLContext } from '../../http/context.js';
import { selectionOf } from '../../graphql/selection.js';
import { AuditActor } from '../../schema/audit.js';
import { DocumentVersion } from '../../schema/documents.js';
import { IncidentReport, IncidentStage } from '../../schema/incidents/report-types.js';
import { IncidentAttachment } from '../../schema/incidents/types.js';
import { OrganizationUser } from '../../schema/members/types.js';
import { OrganizationApiToken } from '../../schema/tokens.js';
import { ControlOwner, OrganizationControl, OrganizationWorkflow } from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import type { AuditActorType } from '../../values/audit.js';
import { FieldResolver } from './decorators.js';
import { authorizedBatch, batchKey } from './lists.js';

/** The object that a field has the id of. */
interface Reference<Row, Key extends string | number> {
  description: string;
  /** Null where there is none. The projection of the field reads the columns that it needs. */
  keyOf(row: Row): Key | null;
  /** Absent where who may read the row may read the object. */
  authorize?(services: Services, caller: Caller, key: Key): Promise<void>;
  load(services: Services, keys: readonly Key[], selection: Selection): Promise<ReadonlyMap<Key, object>>;
}

/** Gives a type the field `name`, loaded for all objects of a level at once; null where the object has gone. */
function referenceOf<Row, Key extends string | number>(
  type: abstract new () => object,
  name: string,
  target: ClassType,
  { description, keyOf, authorize, load }: Reference<Row, Key>,
) {
  @Resolver(() => type)
  class ReferenceResolver {
    @FieldResolver(() => target, description, { nullable: true })
    async [name](@Root() row: Row, @Ctx() context: GraphQLContext, @Info() info: GraphQLResolveInfo) {
      const key = keyOf(row);
      if (key === null) return null;
      const { services, caller } = context;
      const selection = selectionOf(info);
      const level = batchKey(`${info.parentType.name}.${name}`, null, selection);
      const mayRead = async (each: Key) => authorize?.(services, caller, each);
      const { object } = await authorizedBatch(context, level, key, mayRead, async (keys) => {
        const found = await load(services, keys, selection);
        return new Map(keys.map((each) => [each, { object: found.get(each) ?? null }]));
      });
      return object;
    }
  }
  return ReferenceResolver;
}

const organizationIn = (key: string) => Number.parseInt(key);
const joinedKey = (...parts: readonly (string | number | null)[]) => (parts.includes(null) ? null : parts.join('/'));

interface ActorRow {
  type: AuditActorType;
  /** Of the trail. */
  organizationId?: number | null;
  tokenId: number | null;
}

interface OwnedRow {
  organizationId: number;
  workflowId: string;
}

const WORKFLOW = {
  authorize: ({ workflows }: Services, caller: Caller, key: string) =>
    workflows.authorizeList(caller, organizationIn(key)),
  load: ({ workflows }: Services, keys: readonly string[], selection: Selection) => workflows.ofKeys(keys, selection),
  keyOf: ({ organizationId, workflowId }: OwnedRow) => joinedKey(organizationId, workflowId),
};

const CONTROL = {
  authorize: WORKFLOW.authorize,
  load: ({ controls }: Services, keys: readonly string[]) => controls.ofKeys(keys),
};

const MEMBER = {
  authorize: ({ members }: Services, caller: Caller, key: string) => members.authorizeList(caller, organizationIn(key)),
  load: ({ members }: Services, keys: readonly string[], selection: Selection) => members.ofKeys(keys, selection),
  keyOf: ({ organizationId, userId }: { organizationId: number; userId: string }) => joinedKey(organizationId, userId),
};

const ATTACHMENT: Reference<{ attachmentId: number | null }, number> = {
  description: 'The copy of what was sent: a file of the incident; null where there is none.',
  keyOf: ({ attachmentId }) => attachmentId,
  load: ({ attachments }, ids, selection) => attachments.byIds(ids, selection),
};

/** One for each field. */
export const REFERENCE_RESOLVERS = [
  referenceOf(IncidentReport, 'attachment', IncidentAttachment, ATTACHMENT),
  referenceOf(IncidentStage, 'attachment', IncidentAttachment, ATTACHMENT),
  referenceOf(DocumentVersion, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description: 'The workflow that it belongs to; null while it is not associated with the organization.',
  }),
  referenceOf(DocumentVersion, 'control', OrganizationControl, {
    ...CONTROL,
    description: 'The control that it shows to be met; null while its workflow is not associated or has it no more.',
    keyOf: ({ organizationId, workflowId, artifactId }: OwnedRow & { artifactId: string }) =>
      joinedKey(organizationId, workflowId, artifactId),
  }),
  referenceOf(OrganizationControl, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description: 'The workflow that it is of; null once it is dissociated.',
  }),
  referenceOf(OrganizationControl, 'parent', OrganizationControl, {
    ...CONTROL,
    description: 'The heading above; null at the top.',
    keyOf: ({ organizationId, workflowId, parentId }: OwnedRow & { parentId: string | null }) =>
      joinedKey(organizationId, workflowId, parentId),
  }),
  referenceOf(AuditActor, 'token', OrganizationApiToken, {
    description:
      'The token of a user or a service account; null once it has ended, and in the trail of a user. Requires ORGANIZATION_OWNER; null with an error for lower roles.',
    keyOf: ({ type, organizationId = null, tokenId }: ActorRow) =>
      type === 'SCIM' ? null : joinedKey(organizationId, tokenId),
    authorize: ({ organizationTokens }, caller, key) => organizationTokens.authorizeList(caller, organizationIn(key)),
    load: ({ organizationTokens }, keys, selection) => organizationTokens.ofKeys(keys, selection),
  }),
  referenceOf(OrganizationApiToken, 'member', OrganizationUser, { ...MEMBER, description: 'The member who has it.' }),
  referenceOf(ControlOwner, 'member', OrganizationUser, {
    ...MEMBER,
    description:
      'The member itself; null where it is none any more. Requires SECURITY_OFFICER; null with an error for lower roles.',
  }),
];
