import type { GraphQLResolveInfo } from 'graphql';
import { type ClassType, Ctx, Info, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { GraphQLContext } from '../../http/context.js';
import { selectionOf } from '../../graphql/selection.js';
import { AuditActor } from '../../schema/audit.js';
import { DocumentVersion } from '../../schema/documents.js';
import { Engagement } from '../../schema/engagements/types.js';
import { Event } from '../../schema/events.js';
import { ImportJob, ImportJobRow } from '../../schema/imports.js';
import { IncidentReport, IncidentStage } from '../../schema/incidents/report-types.js';
import { RehearsalReport } from '../../schema/incidents/rehearsal-types.js';
import { Incident, IncidentAttachment } from '../../schema/incidents/types.js';
import { Invitation, OrganizationUser } from '../../schema/members/types.js';
import { Organization } from '../../schema/organizations/types.js';
import { OrganizationApiToken } from '../../schema/tokens.js';
import { AttestationChange, AttestedDocument, ControlAttestation } from '../../schema/workflows/attestations.js';
import {
  ControlEvidenceSource,
  ControlOwner,
  OrganizationControl,
  OrganizationWorkflow,
} from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import type { AuditActorType } from '../../values/audit.js';
import type { ImportJobKind } from '../../values/enums.js';
import { FieldResolver } from './decorators.js';
import { authorizedBatch, batchKey } from './lists.js';

/** The object that a field has the id of. */
interface Reference<Row, Key extends string | number> {
  description: string;
  /** Null where there is none. The projection of the field reads the columns that it needs. */
  keyOf(row: Row): Key | null;
  /** Absent where who may read the row may read the object. */
  authorize?(services: Services, caller: Caller, key: Key): Promise<void>;
  load(
    services: Services,
    keys: readonly Key[],
    selection: Selection,
    caller: Caller,
  ): Promise<ReadonlyMap<Key, object>>;
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
        const found = await load(services, keys, selection, caller);
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
  workflowId: string | null;
}

interface ControlRow extends OwnedRow {
  controlId: string;
}

/** Of a document version, where the row is about one. */
interface DocumentRow {
  documentVersionId: number | null;
}

interface ImportedRow {
  kind: ImportJobKind;
  recordId: number | null;
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
  keyOf: ({ organizationId, workflowId, controlId }: ControlRow) => joinedKey(organizationId, workflowId, controlId),
};

/** Where who may read the row may read the documents of its organization. */
const DOCUMENT = {
  load: ({ documents }: Services, ids: readonly number[], selection: Selection) => documents.byIds(ids, selection),
  keyOf: ({ documentVersionId }: DocumentRow) => documentVersionId,
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
  referenceOf(ControlAttestation, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description: 'The workflow of the control; null while it is not associated.',
  }),
  referenceOf(ControlAttestation, 'control', OrganizationControl, {
    ...CONTROL,
    description: 'The control as it is now; null while its workflow is not associated or has it no more.',
  }),
  referenceOf(AttestedDocument, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description: 'The workflow that it was stored for; null while that is not associated.',
  }),
  referenceOf(AttestedDocument, 'control', OrganizationControl, {
    ...CONTROL,
    description: 'The control that it was stored for; null while its workflow is not associated or has it no more.',
  }),
  referenceOf(AttestedDocument, 'documentVersion', DocumentVersion, {
    ...DOCUMENT,
    description: 'The document version; null once it is deleted.',
  }),
  referenceOf(AttestationChange, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description: 'The workflow of `controlId`; null while it is not associated.',
  }),
  referenceOf(AttestationChange, 'control', OrganizationControl, {
    ...CONTROL,
    description: 'The control of `controlId`; null while its workflow is not associated or has it no more.',
  }),
  referenceOf(AttestationChange, 'documentVersion', DocumentVersion, {
    ...DOCUMENT,
    description: 'The document version; null where it is about none, and once it is deleted.',
  }),
  referenceOf(ControlEvidenceSource, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description: 'Its workflow; null when it was dissociated meanwhile.',
  }),
  referenceOf(ControlEvidenceSource, 'control', OrganizationControl, {
    ...CONTROL,
    description: 'The equivalent control itself; null when its workflow was dissociated meanwhile.',
  }),
  referenceOf(Event, 'organization', Organization, {
    description: 'The organization; null once it is deleted, and where the caller has left it meanwhile.',
    keyOf: ({ organizationId }: { organizationId: number }) => organizationId,
    load: ({ organizations }, ids, selection, caller) => organizations.among(caller, ids, selection),
  }),
  referenceOf(RehearsalReport, 'incident', Incident, {
    description: 'The incident that was rehearsed; null once a reset of the sandbox has removed it.',
    keyOf: ({ incidentId }: { incidentId: number }) => incidentId,
    load: ({ incidents }, ids, selection) => incidents.byIds(ids, selection),
  }),
  referenceOf(Invitation, 'engagement', Engagement, {
    description: 'The engagement that an auditor is invited to; null for who is to be a member.',
    keyOf: ({ engagementId }: { engagementId: number | null }) => engagementId,
    load: ({ engagements }, ids, selection) => engagements.byIds(ids, selection),
  }),
  referenceOf(ImportJob, 'workflow', OrganizationWorkflow, {
    ...WORKFLOW,
    description:
      'The workflow that its controls or documents are of; null for others, and while that is not associated.',
  }),
  referenceOf(ImportJobRow, 'invitation', Invitation, {
    description: 'The invitation that was made of it; null where there is none.',
    keyOf: ({ kind, recordId }: ImportedRow) => (kind === 'INVITATIONS' ? recordId : null),
    load: ({ invitations }, ids, selection) => invitations.byIds(ids, selection),
  }),
  referenceOf(ImportJobRow, 'documentVersion', DocumentVersion, {
    description: 'The document version that has its content; null where there is none, and once it is deleted.',
    keyOf: ({ kind, recordId }: ImportedRow) => (kind === 'DOCUMENTS' ? recordId : null),
    load: DOCUMENT.load,
  }),
  referenceOf(AuditActor, 'token', OrganizationApiToken, {
    description:
      'The token of a user or a service account; null once it has ended, and in the trail of a user. Requires ORGANIZATION_OWNER; null with an error for lower roles.',
    keyOf: ({ type, organizationId = null, tokenId }: ActorRow) =>
      type === 'SCIM' ? null : joinedKey(organizationId, tokenId),
    authorize: ({ organizationTokens }, caller, key) => organizationTokens.authorizeList(caller, organizationIn(key)),
    load: ({ organizationTokens }, keys, selection) => organizationTokens.ofKeys(keys, selection),
  }),
  referenceOf(OrganizationApiToken, 'member', OrganizationUser, {
    ...MEMBER,
    description: 'The member who has it; null where it is none any more, and where a service account has it.',
  }),
  referenceOf(ControlOwner, 'member', OrganizationUser, {
    ...MEMBER,
    description:
      'The member itself; null where it is none any more. Requires SECURITY_OFFICER; null with an error for lower roles.',
  }),
];
