import { Ctx, ID, Int, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { batchInOrder } from '../graphql/batch.js';
import { UpdateControlInput, UpdateControlsInput } from '../schema/workflows/inputs.js';
import {
  ControlEvidence as ControlEvidenceType,
  EvidenceStateEnum,
  OrganizationControl,
} from '../schema/workflows/types.js';
import type { Services } from '../services/index.js';
import type { ControlEvidence, ReviewedControl } from '../services/workflows/control-evidence.js';
import { Arg, FieldResolver, Input, Mutation, Query } from './shared/decorators.js';

@Resolver(() => OrganizationControl)
export class OrganizationControlResolver {
  constructor(private readonly services: Services) {}

  @Query(() => OrganizationControl, 'One control of a workflow of an organization.')
  organizationControl(
    @Arg('organizationId', () => Int, 'Which organization.') organizationId: number,
    @Arg('workflowId', () => ID, 'Which of its workflows.') workflowId: string,
    @Arg('controlId', () => ID, 'Which control, by its number in the source.') controlId: string,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.controls.read(caller, { organizationId, workflowId }, controlId);
  }

  @Mutation('Changes the status, responsible member, due date and notes of a control.', {
    control: [() => OrganizationControl, 'The control as it is now.'],
  })
  async updateControl(
    @Input('The control and what becomes of it.') { organizationId, workflowId, ...update }: UpdateControlInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    const key = { organizationId, workflowId };
    const seen = await this.services.controlChanges.update(caller, key, update);
    const [control] = await this.services.controls.byIds(seen, [update.controlId]);
    return { control };
  }

  @Mutation('Changes many controls of a workflow at once: all of them, or none when one change is refused.', {
    controls: [() => [OrganizationControl], 'The controls as they are now, in the order in which they were named.'],
    totalCount: [() => Int, 'How many they are.'],
  })
  async updateControls(
    @Input('The controls and what becomes of them.') { organizationId, workflowId, ...changes }: UpdateControlsInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    const key = { organizationId, workflowId };
    const { seen, ids } = await this.services.controlChanges.updateAll(caller, key, changes);
    return { controls: await this.services.controls.byIds(seen, ids), totalCount: ids.length };
  }

  @FieldResolver(() => ControlEvidenceType, 'The documents that show how it is met.')
  evidence(@Root() control: ReviewedControl, @Ctx() context: GraphQLContext) {
    return this.evidenceOf(control, context);
  }

  @FieldResolver(
    () => EvidenceStateEnum,
    'Whether those documents still show it; null without documents. A control that is done on stale evidence needs a newer document.',
    { nullable: true },
  )
  async evidenceState(@Root() control: ReviewedControl, @Ctx() context: GraphQLContext) {
    return (await this.evidenceOf(control, context)).state;
  }

  private evidenceOf(control: ReviewedControl, context: GraphQLContext): Promise<ControlEvidence> {
    return batchInOrder(context, 'evidence', control, (controls: readonly ReviewedControl[]) =>
      this.services.controlEvidence.of(controls),
    );
  }
}
