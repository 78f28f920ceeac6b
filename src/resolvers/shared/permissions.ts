import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Info, ObjectType, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { GraphQLContext } from '../../http/context.js';
import { batch } from '../../graphql/batch.js';
import { selectionOf } from '../../graphql/selection.js';
import { Device } from '../../schema/devices/types.js';
import { DocumentVersion } from '../../schema/documents.js';
import { Incident, IncidentAttachment } from '../../schema/incidents/types.js';
import { Invitation } from '../../schema/members/types.js';
import { Organization } from '../../schema/organizations/types.js';
import { Field, fieldsOf, type Plain } from '../../schema/shared/types.js';
import { ServiceAccount } from '../../schema/service-accounts.js';
import { ApiToken, OrganizationApiToken } from '../../schema/tokens.js';
import { WorkflowImport } from '../../schema/workflows/import-types.js';
import { ControlAttestation } from '../../schema/workflows/attestations.js';
import { OrganizationControl, OrganizationWorkflow } from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import type { ReplaceableToken } from '../../services/tokens/tokens.service.js';
import { FieldResolver } from './decorators.js';

/** The type `<type>Permissions`, and how its fields are decided. */
interface Permissions<Row, Name extends string> {
  description: string;
  /** That of the field `viewerCan`. */
  field?: string;
  /** Each use case by its description: whether it would accept the caller. */
  useCases: Readonly<Record<Name, string>>;
  /** The projection of `viewerCan` reads the columns that it needs. */
  decide(
    services: Services,
    context: GraphQLContext,
    row: Row,
    info: GraphQLResolveInfo,
  ): Promise<Record<Name, boolean>>;
}

/** Gives a type the field `viewerCan`, an object of booleans. */
function permissionsOf<Row, Name extends string>(
  type: abstract new () => object,
  { description, field = 'What the caller may do with it.', useCases, decide }: Permissions<Row, Name>,
) {
  @ObjectType(`${type.name}Permissions`, { description })
  class PermissionsType extends fieldsOf<string, boolean>(useCases, (text) => Field(() => Boolean, text)) {}

  @Resolver(() => type)
  class PermissionsResolver {
    @FieldResolver(() => PermissionsType, field)
    viewerCan(@Root() row: Row, @Ctx() context: GraphQLContext, @Info() info: GraphQLResolveInfo) {
      return decide(context.services, context, row, info);
    }
  }
  return PermissionsResolver;
}

type DecideOne = (services: Services, context: GraphQLContext, id: number) => Promise<boolean>;

/** Permissions on organizations: the privilege that the use case requires, or what its service decides. */
const ORGANIZATION: Readonly<Record<string, readonly [description: string, Privilege | DecideOne]>> = {
  update: ['Change its profile.', 'MANAGE_SETTINGS'],
  updateSettings: ['Change its settings.', 'MANAGE_SETTINGS'],
  updateBranding: ['Change its palette and colours.', 'MANAGE_BRANDING'],
  updateLogo: ['Set and remove its logo.', 'MANAGE_BRANDING'],
  updateAlerts: ['Choose which of its alerts and mails the caller wants.', 'SET_OWN_ALERTS'],
  delete: ['Delete it; not again.', 'DELETE_ORGANIZATION'],
  restore: [
    'Restore it; only when it was deleted in the last 30 days.',
    ({ organizationUpdates }, context, id) =>
      batch(context, 'Organization.restore', id, (ids) => organizationUpdates.restorable(context.caller, ids)),
  ],
  transferOwnership: [
    'Make another member the owner; not when there is none.',
    async (services, context, id) => (await ownership(services, context, id)).transferOwnership,
  ],
  leave: [
    'Leave it; not as the last owner.',
    async (services, context, id) => (await ownership(services, context, id)).leave,
  ],
  createServiceAccounts: [
    'Create service accounts; to which roles, the role of the caller decides.',
    'MANAGE_SERVICE_ACCOUNTS',
  ],
  inviteMembers: ['Invite people; to which roles, the role of the caller decides.', 'MANAGE_MEMBERS'],
  createDevices: ['Create devices.', 'MANAGE_DEVICES'],
  openIncidents: ['Open incidents.', 'EDIT_INCIDENTS'],
  associateWorkflows: ['Associate workflows.', 'MANAGE_WORKFLOWS'],
  importWorkflows: ['Import workflows and titles.', 'MANAGE_WORKFLOWS'],
};

function ownership({ memberUpdates }: Services, context: GraphQLContext, id: number) {
  return batch(context, 'Organization.ownership', id, (ids: readonly number[]) =>
    memberUpdates.ownPermissions(context.caller, ids),
  );
}

/** One for each type that has the field. */
export const PERMISSIONS_RESOLVERS = [
  permissionsOf(Organization, {
    description:
      'What the caller may do with the organization, with the token of this request. Quotas are not considered.',
    useCases: Object.fromEntries(Object.entries(ORGANIZATION).map(([name, [description]]) => [name, description])),
    // Permissions that are not selected are not evaluated.
    async decide(services, context, { id }: Plain<Organization>, info) {
      const selection = selectionOf(info);
      const selected = Object.entries(ORGANIZATION).filter(([name]) => selection.has(name));
      const allows = (decide: Privilege | DecideOne) =>
        typeof decide === 'string'
          ? services.privileges.allows(context.caller, decide, id)
          : decide(services, context, id);
      const decided = selected.map(async ([name, [, decide]]) => [name, await allows(decide)] as const);
      return Object.fromEntries(await Promise.all(decided));
    },
  }),
  permissionsOf(Incident, {
    description: 'What the caller may do with an incident now, with the token of this request.',
    useCases: {
      update: 'Change it; not when it is closed.',
      close: 'Close it; with a reason while it owes a report.',
      reopen: 'Open it again; only when it is closed.',
      rejudge: 'Judge it by the facts of the organization as they are now; not when it is closed.',
      attachFiles: 'Attach files.',
      addNotes: 'Add notes.',
      recordReports: 'Record reports; not when it is closed.',
      correctReports: 'Correct a recorded report; not when none is recorded or it is closed.',
    },
    decide: ({ incidentUpdates }, { caller }, incident: RowOf<'incidentUpdates'>) =>
      incidentUpdates.permissions(caller, incident),
  }),
  permissionsOf(IncidentAttachment, {
    description: 'What the caller may do with a file of an incident now, with the token of this request.',
    useCases: { delete: 'Delete it; not when the incident is closed.' },
    decide: ({ attachments }, { caller }, attachment: RowOf<'attachments'>) =>
      attachments.permissions(caller, attachment),
  }),
  permissionsOf(Device, {
    description: 'What the caller may do with a device now, with the token of this request.',
    useCases: {
      update: 'Change it, and give a threat blocker another key; not when it is deleted.',
      delete: 'Delete it; not again.',
      restore: 'Restore it; only when it was deleted, in the last 30 days.',
      report: 'Report its checks; not when it is deleted.',
    },
    // Both kinds have the same rules.
    decide: ({ cloudDefenders }, { caller }, device: RowOf<'cloudDefenders'>) =>
      cloudDefenders.permissions(caller, device),
  }),
  permissionsOf(DocumentVersion, {
    description: 'What the caller may do with a document version, with the token of this request.',
    useCases: {
      update: 'Say when it was true and what to know of it.',
      delete: 'Delete it: the own ones, and from SECURITY_OFFICER on those of others.',
    },
    decide: ({ documentUpdates }, { caller }, version: RowOf<'documentUpdates'>) =>
      documentUpdates.permissions(caller, version),
  }),
  permissionsOf(WorkflowImport, {
    description: 'What the caller may do with an import now, with the token of this request.',
    useCases: {
      replace: 'Import it again as it is; a workflow that is associated with the organization needs a preview.',
      delete: 'Delete it; not a workflow that is associated with the organization.',
    },
    decide: ({ workflowImports }, { caller }, workflowImport: RowOf<'workflowImports'>) =>
      workflowImports.permissions(caller, workflowImport),
  }),
  permissionsOf(Invitation, {
    description: 'What the caller may do with an invitation.',
    field: 'What the caller may do with the invitation.',
    useCases: { resend: 'Send one more mail.', cancel: 'Cancel it.' },
    decide: ({ invitations }, { caller }, invitation: RowOf<'invitations'>) =>
      invitations.permissions(caller, invitation),
  }),
  permissionsOf(ApiToken, {
    description: 'What the caller may do with a token of its own now, with the token of this request.',
    useCases: {
      revoke: 'Revoke it; not again.',
      rotate: 'Put a new token in its place; not when it has ended or was replaced, or may do more than this one.',
    },
    async decide({ tokens }, context, token: ReplaceableToken, info) {
      const rotate =
        selectionOf(info).has('rotate') &&
        (await batch(context, 'ApiToken.rotate', token, (rows) => tokens.rotatable(context.caller, rows)));
      return { revoke: tokens.mayRevoke(context.caller, token), rotate };
    },
  }),
  permissionsOf(OrganizationApiToken, {
    description: 'What the caller may do with a token of a member, with the token of this request.',
    useCases: { block: 'Block it in the organization; not again.' },
    decide: ({ organizationTokens }, { caller }, token: RowOf<'organizationTokens'>) =>
      organizationTokens.permissions(caller, token),
  }),
  permissionsOf(ServiceAccount, {
    description: 'What the caller may do with a service account, with the token of this request.',
    useCases: {
      update: 'Change it.',
      delete: 'Delete it.',
      manageTokens: 'Make, rotate and revoke its tokens.',
    },
    decide: ({ serviceAccounts }, { caller }, account: RowOf<'serviceAccounts'>) =>
      serviceAccounts.permissions(caller, account),
  }),
  permissionsOf(OrganizationWorkflow, {
    description: 'What the caller may do with a workflow of an organization, with the token of this request.',
    useCases: {
      updateControls: 'Change its controls, many at once.',
      dissociate: 'Dissociate it from the organization.',
    },
    decide: async ({ privileges }, { caller }, { organizationId }: OwnedRow) => ({
      updateControls: await privileges.allows(caller, 'SET_CONTROL_STATUS', organizationId),
      dissociate: await privileges.allows(caller, 'MANAGE_WORKFLOWS', organizationId),
    }),
  }),
  permissionsOf(OrganizationControl, {
    description: 'What the caller may do with a control of an organization, with the token of this request.',
    useCases: {
      update: 'Change its status, owner, due date and note.',
      uploadDocuments: 'Upload documents that show how it is met.',
      attest: 'Attest that it is in place: as its owner, when it is done. Its evidence is not considered.',
    },
    decide: async (
      { privileges, attest },
      { caller },
      control: OwnedRow & Parameters<Services['attest']['mayAttest']>[1],
    ) => ({
      update: await privileges.allows(caller, 'SET_CONTROL_STATUS', control.organizationId),
      uploadDocuments: await privileges.allows(caller, 'UPLOAD_DOCUMENTS', control.organizationId),
      attest: await attest.mayAttest(caller, control),
    }),
  }),
  permissionsOf(ControlAttestation, {
    description: 'What the caller may do with an attestation now, with the token of this request.',
    useCases: {
      countersign: 'Countersign it: as another person than the one who made it, when it is ATTESTED.',
      withdraw: 'Withdraw it: the own ones, and from SECURITY_OFFICER on those of others; not when it has ended.',
    },
    decide: ({ attest }, { caller }, attestation: RowOf<'attest'>) => attest.permissions(caller, attestation),
  }),
];

interface OwnedRow {
  organizationId: number;
}

type RowOf<Name extends keyof Services> = Services[Name] extends {
  permissions(caller: Caller, row: infer Row): unknown;
}
  ? Row
  : never;
