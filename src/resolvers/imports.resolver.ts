import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, Extensions, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { selectionOf } from '../graphql/selection.js';
import * as inputs from '../schema/imports.js';
import { ImportJob, ImportJobRow } from '../schema/imports.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import { Field, type Plain } from '../schema/shared/types.js';
import { COSTS } from '../values/costs.js';
import type { Role } from '../values/enums.js';
import { Arg, Call, Input, Mutation, Query } from './shared/decorators.js';
import { listOf, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { OF_ARCHIVE, OF_TABLE } from './shared/rows.js';

const STARTED = { importJob: [() => ImportJob, 'The job, which has not begun yet.'] } as const;
const AS = (field: string, role: Role) =>
  `Does as a job what \`${field}\` does: its rows are kept, and done one after the other with the rights of the caller at that time. CONFLICT when the organization has ten jobs that have not ended. Requires ${role}.`;

@ArgsType()
class ImportJobArgs {
  @Field(() => SafeIntScalar, 'The organization that has the job.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which job.')
  importJobId!: number;
}

@Resolver(() => ImportJob)
class ImportJobResolver {
  @Query(
    () => ImportJob,
    'An import that runs as a job, or has. One of members or invitations requires ORGANIZATION_MANAGER.',
  )
  importJob(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the job.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Its id.') id: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.importJobs.read(caller, { id, organizationId }, selection);
  }

  @Extensions({ cost: COSTS.importJob })
  @Mutation(AS('inviteMembers', 'ORGANIZATION_MANAGER'), STARTED, { adds: 'importJob' })
  async startInvitations(
    @Input('Who, and to what role.') input: inputs.StartInvitationsInput,
    @Call('importJob') { services, caller, selection }: Call,
  ) {
    return { importJob: await services.importJobs.startInvitations(caller, input, selection) };
  }

  @Extensions({ cost: COSTS.importJob })
  @Mutation(AS('importMembers', 'ORGANIZATION_MANAGER'), { ...STARTED, ...OF_TABLE }, { adds: 'importJob' })
  startMemberImport(
    @Input('The table.') input: inputs.StartMemberImportInput,
    @Call('importJob') { services, caller, selection }: Call,
  ) {
    return services.importJobs.startMembers(caller, input, selection);
  }

  @Extensions({ cost: COSTS.importJob })
  @Mutation(AS('importControls', 'SECURITY_ANALYST'), { ...STARTED, ...OF_TABLE }, { adds: 'importJob' })
  startControlImport(
    @Input('The table.') input: inputs.StartControlImportInput,
    @Call('importJob') { services, caller, selection }: Call,
  ) {
    return services.importJobs.startControls(caller, input, selection);
  }

  @Extensions({ cost: COSTS.importJob })
  @Mutation(AS('importDocuments', 'SECURITY_ANALYST'), { ...STARTED, ...OF_ARCHIVE }, { adds: 'importJob' })
  startDocumentImport(
    @Input('The archive.') input: inputs.StartDocumentImportInput,
    @Call('importJob') { services, caller, selection }: Call,
  ) {
    return services.importJobs.startDocuments(caller, input, selection);
  }

  @Mutation(
    'Cancels a job: the row under way is finished, and what was done stays. For who has started it, and for ORGANIZATION_MANAGER. One that is cancelled stays so. CONFLICT when it has ended otherwise.',
    { importJob: [() => ImportJob, 'The job as it ended.'] },
  )
  async cancelImportJob(
    @Input('The job.') { organizationId, importJobId: id }: inputs.CancelImportJobInput,
    @Call('importJob') { services, caller, selection }: Call,
  ) {
    return { importJob: await services.importJobs.cancel(caller, { organizationId, id }, selection) };
  }

  @Subscription(() => ImportJob, {
    description:
      'A job as it is now, and whenever it has changed, looked at once a second. Ends with the job. Rules as for `importJob`.',
    subscribe: ({ args: { organizationId, importJobId: id }, context, info }: Subscribing) =>
      context.services.importJobs.watch(() => context.caller, { organizationId, id }, selectionOf(info)),
  })
  importJobChanged(@Root() job: Plain<ImportJob>, @Args(() => ImportJobArgs) _args: ImportJobArgs): Plain<ImportJob> {
    return job;
  }
}

interface Subscribing {
  args: ImportJobArgs;
  context: GraphQLContext;
  info: GraphQLResolveInfo;
}

nodeOf(ImportJob, ['importJobId'], ({ importJobs }, caller, { importJobId: id }, selection) =>
  importJobs.read(caller, { id }, selection),
);

export const IMPORT_RESOLVERS = [
  ImportJobResolver,
  listOfOrganization('importJobs', ImportJob, {
    description:
      'Imports that run as jobs, or have in the last seven days, newest first. Those of members and invitations for ORGANIZATION_MANAGER only.',
    authorize: ({ importJobs }, caller, id) => importJobs.authorizeList(caller, id),
    load: ({ importJobs }, ids, query, selection, caller) => importJobs.ofOrganizations(caller, ids, query, selection),
  }),
  listOf(ImportJob, ({ id }: { id: number }) => id, 'rows', ImportJobRow, {
    description: 'Its rows in the order in which they were sent, with what has become of each.',
    filter: [() => inputs.ImportJobRowFilter, 'Which rows.'],
    authorize: async () => undefined,
    load: ({ importJobs }, ids, query, selection) => importJobs.rowsOf(ids, query, selection),
  }),
];
