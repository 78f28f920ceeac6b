import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, ID, Info, Resolver, Root } from 'type-graphql';
import { batchInOrder } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import type { GraphQLContext } from '../http/context.js';
import * as inputs from '../schema/workflows/attestations.js';
import { ControlAttestation } from '../schema/workflows/attestations.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import { OrganizationControl } from '../schema/workflows/types.js';
import type { OrganizationControlKey } from '../services/workflows/control-evidence.service.js';
import { COSTS } from '../values/costs.js';
import { Arg, Call, FieldResolver, Input, Mutation, Query } from './shared/decorators.js';
import { batchKey, listOf } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

@Resolver(() => OrganizationControl)
class AttestationResolver {
  @Query(() => ControlAttestation, 'One attestation of a control.')
  controlAttestation(
    @Arg('organizationId', () => SafeIntScalar, 'Which organization.') organizationId: number,
    @Arg('workflowId', () => ID, 'Which of its workflows.') workflowId: string,
    @Arg('controlId', () => ID, 'Which control of the workflow.') controlId: string,
    @Arg('id', () => SafeIntScalar, 'Which attestation.') id: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.attestations.read(caller, { organizationId, workflowId, controlId, id }, selection);
  }

  @Mutation(
    'Attests that a control is in place as of now, as its evidence shows: by its owner, for a control that is DONE on evidence that is not STALE. An attestation before it is SUPERSEDED.',
    { attestation: [() => ControlAttestation, 'The attestation.'] },
    { adds: 'attestation' },
  )
  async attestControl(
    @Input('The control and the statement.') input: inputs.AttestControlInput,
    @Call('attestation') { services, caller, selection }: Call,
  ) {
    return { attestation: await services.attest.attest(caller, { ...input }, selection) };
  }

  @Mutation(
    'Countersigns an attestation, as another person than the one who made it. CONFLICT when it is not ATTESTED. Requires SECURITY_OFFICER.',
    {
      attestation: [() => ControlAttestation, 'The attestation as it is now.'],
    },
  )
  async countersignAttestation(
    @Input('The attestation.') input: inputs.CountersignAttestationInput,
    @Call('attestation') { services, caller, selection }: Call,
  ) {
    return { attestation: await services.attest.countersign(caller, { ...input }, selection) };
  }

  @Mutation('Withdraws an attestation. Those of others require SECURITY_OFFICER. CONFLICT when it has ended.', {
    attestation: [() => ControlAttestation, 'The attestation as it is now.'],
  })
  async withdrawAttestation(
    @Input('The attestation.') input: inputs.WithdrawAttestationInput,
    @Call('attestation') { services, caller, selection }: Call,
  ) {
    return { attestation: await services.attest.withdraw(caller, { ...input }, selection) };
  }

  @Extensions({ cost: COSTS.attestation })
  @FieldResolver(() => ControlAttestation, 'The newest attestation of it, whatever its state; null without one.', {
    nullable: true,
  })
  attestation(
    @Root() control: OrganizationControlKey,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info);
    const key = batchKey('OrganizationControl.attestation', null, selection);
    return batchInOrder(context, key, control, (controls: readonly OrganizationControlKey[]) =>
      context.services.attestations.newestOf(controls, selection),
    );
  }
}

nodeOf(ControlAttestation, ['attestationId'], ({ attestations }, caller, { attestationId: id }, selection) =>
  attestations.read(caller, { id }, selection),
);

export const ATTESTATION_RESOLVERS = [
  AttestationResolver,
  listOf(OrganizationControl, ({ id }: { id: string }) => id, 'attestations', ControlAttestation, {
    description: 'Its attestations, newest first.',
    authorize: ({ attestations }, caller, key) => attestations.authorizeList(caller, Number.parseInt(key)),
    load: ({ attestations }, keys, { page }, selection) => attestations.ofControls(keys, page, selection),
  }),
];
