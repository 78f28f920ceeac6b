import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { OrganizationWorkflow } from '../schema/organization-workflow.type.js';
import type { EvidencePackService } from '../services/evidence-pack.js';
import type { OrganizationWorkflowKey } from '../services/workflow-progress.js';

@Resolver(() => OrganizationWorkflow)
export class EvidencePackResolver {
  constructor(private readonly packs: EvidencePackService) {}

  @FieldResolver(() => String, {
    description:
      'Full address of the evidence pack: one ZIP with all documents, the controls as CSV, and SHA-256 sums to verify it by. It is signed, needs no token and expires soon.',
  })
  evidencePackUrl(@Root() { organizationId, workflowId }: OrganizationWorkflowKey, @Ctx() { caller }: RequestContext) {
    return this.packs.address(caller, { organizationId, workflowId });
  }
}
