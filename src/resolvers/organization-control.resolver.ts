import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { batch } from '../engine/batch.js';
import { UpdateControlInput, UpdateControlsInput } from '../schema/organization-control.input.js';
import {
  ControlEvidence,
  OrganizationControl,
  UpdateControlPayload,
  UpdateControlsPayload,
} from '../schema/organization-control.type.js';
import type { ControlChangeService } from '../services/control-changes.js';
import type { ControlEvidenceService, OrganizationControlKey } from '../services/control-evidence.js';
import type { OrganizationControlService } from '../services/organization-controls.js';

@Resolver(() => OrganizationControl)
export class OrganizationControlResolver {
  constructor(
    private readonly controls: OrganizationControlService,
    private readonly changes: ControlChangeService,
    private readonly evidenceService: ControlEvidenceService,
  ) {}

  @Query(() => OrganizationControl, { description: 'One control of a workflow that an organization has taken up.' })
  organizationControl(
    @Arg('organizationId', () => Int, { description: 'Which organization.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'Which of its workflows.' }) workflowId: string,
    @Arg('controlId', () => ID, { description: 'Which control, by its number in the source.' }) controlId: string,
    @Ctx() { caller }: RequestContext,
  ) {
    return this.controls.read(caller, { organizationId, workflowId }, controlId);
  }

  @Mutation(() => UpdateControlPayload, {
    description:
      'Changes how far an organization is with a control, who answers for it, by when, and what to know of it.',
  })
  async updateControl(
    @Arg('input', () => UpdateControlInput, { description: 'The control and what becomes of it.' })
    { organizationId, workflowId, ...update }: UpdateControlInput,
    @Ctx() { caller }: RequestContext,
  ) {
    const key = { organizationId, workflowId };
    const seen = await this.changes.update(caller, key, update);
    const [control] = await this.controls.byIds(seen, [update.controlId]);
    return { control };
  }

  @Mutation(() => UpdateControlsPayload, {
    description: 'Changes many controls of a workflow at once: all of them, or none when there is any fault.',
  })
  async updateControls(
    @Arg('input', () => UpdateControlsInput, { description: 'The controls and what becomes of them.' })
    { organizationId, workflowId, ...changes }: UpdateControlsInput,
    @Ctx() { caller }: RequestContext,
  ) {
    const key = { organizationId, workflowId };
    const { seen, ids } = await this.changes.updateAll(caller, key, changes);
    return { controls: await this.controls.byIds(seen, ids), totalCount: ids.length };
  }

  @FieldResolver(() => ControlEvidence, { description: 'The documents that show how it is met.' })
  evidence(@Root() control: OrganizationControlKey, @Ctx() context: RequestContext) {
    return batch(context, 'evidence', control, async (controls: readonly OrganizationControlKey[]) => {
      const found = await this.evidenceService.of(controls);
      return new Map(controls.map((each, index) => [each, found[index] as object]));
    });
  }
}
