import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, ID, Info, Int, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { batchInOrder } from '../graphql/batch.js';
import { ImportedRow } from '../schema/shared/rows.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import * as inputs from '../schema/workflows/inputs.js';
import {
  ControlEvidence as ControlEvidenceType,
  ControlEvidenceSource,
  EvidenceStateEnum,
  OrganizationControl,
} from '../schema/workflows/types.js';
import type { ControlEvidence, ReviewedControl } from '../services/workflows/control-evidence.service.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, FieldResolver, Input, Mutation, Query } from './shared/decorators.js';
import { LABEL_LANGUAGE, labelLanguage } from './shared/label-language.js';
import { nodeOf } from './shared/nodes.js';
import { rowChecks } from './shared/row-checks.js';
import { OF_TABLE } from './shared/rows.js';

@Resolver(() => OrganizationControl)
export class ControlResolver {
  @Query(() => OrganizationControl, 'One control of a workflow of an organization.')
  async organizationControl(
    @Arg('organizationId', () => SafeIntScalar, 'Which organization.') organizationId: number,
    @Arg('workflowId', () => ID, 'Which of its workflows.') workflowId: string,
    @Arg('controlId', () => ID, 'Which control, by its number in the source.') controlId: string,
    @Arg('language', () => String, LABEL_LANGUAGE, { nullable: true }) tag: string | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const language = labelLanguage(tag);
    const control = await services.controls.read(caller, { organizationId, workflowId }, controlId);
    return { ...control, label: language.translated(control.label) };
  }

  @Mutation('Changes the status, responsible member, due date and notes of a control. Requires SECURITY_ANALYST.', {
    control: [() => OrganizationControl, 'The control as it is now.'],
  })
  async updateControl(
    @Input('The control and what becomes of it.') { organizationId, workflowId, ...update }: inputs.UpdateControlInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const key = { organizationId, workflowId };
    const seen = await services.controlUpdates.update(caller, key, update);
    const [control] = await services.controls.byIds(seen, [update.controlId]);
    return { control };
  }

  @Extensions({ itemsOf: ['input.controlIds', 'input.updates'], items: LIMITS.control.changedAtOnce })
  @Mutation(
    'Changes many controls of a workflow at once: all of them, or none when one change is refused. Requires SECURITY_ANALYST.',
    {
      controls: [() => [OrganizationControl], 'The controls as they are now, in the order in which they were named.'],
      totalCount: [() => Int, 'How many they are.'],
    },
  )
  async updateControls(
    @Input('The controls and what becomes of them.')
    { organizationId, workflowId, ...changes }: inputs.UpdateControlsInput,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    const key = { organizationId, workflowId };
    const { seen, ids } = await services.controlUpdates.updateAll(caller, key, changes);
    return { controls: await services.controls.byIds(seen, ids), totalCount: ids.length };
  }

  @Extensions({ cost: COSTS.tableImport })
  @Mutation(
    'Changes the controls that a table of CSV names, as it is exported: each row by itself, as `updateControl` does. Controls that it does not name stay as they are. Requires SECURITY_ANALYST.',
    {
      rows: [() => [ImportedRow], 'What has become of each row, in order.'],
      totalCount: [() => Int, 'How many they are.'],
      ...OF_TABLE,
    },
  )
  async importControls(
    @Input('The table.') input: inputs.ImportControlsInput,
    @Ctx() { services, caller }: GraphQLContext,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    const check = rowChecks(schema).CONTROLS;
    const { rows, ignoredColumns } = await services.controlImports.import(caller, { ...input, check });
    return { rows, totalCount: rows.length, ignoredColumns };
  }

  @FieldResolver(() => ControlEvidenceType, 'The documents that show how it is met.')
  evidence(@Root() control: ReviewedControl, @Ctx() context: GraphQLContext) {
    return evidenceOf(control, context);
  }

  @FieldResolver(
    () => EvidenceStateEnum,
    'Whether those documents still show it; null without documents. A control that is done on stale evidence needs a newer document.',
    { nullable: true },
  )
  async evidenceState(@Root() control: ReviewedControl, @Ctx() context: GraphQLContext) {
    return (await evidenceOf(control, context)).state;
  }
}

@Resolver(() => ControlEvidenceSource)
export class ControlEvidenceSourceResolver {
  @FieldResolver(() => String, 'Its label.')
  label(
    @Root() { label }: { label: string },
    @Arg('language', () => String, LABEL_LANGUAGE, { nullable: true }) tag: string | null,
  ) {
    return labelLanguage(tag).translated(label);
  }
}

function evidenceOf(control: ReviewedControl, context: GraphQLContext): Promise<ControlEvidence> {
  return batchInOrder(context, 'evidence', control, (controls: readonly ReviewedControl[]) =>
    context.services.controlEvidence.of(controls),
  );
}

nodeOf(
  OrganizationControl,
  ['organizationId', 'workflowId', 'controlId'],
  ({ controls }, caller, { controlId, ...key }) => controls.read(caller, key, controlId),
);
