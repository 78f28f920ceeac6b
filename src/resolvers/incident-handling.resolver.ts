import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import {
  CloseIncidentInput,
  OpenIncidentInput,
  ReopenIncidentInput,
  UpdateIncidentInput,
} from '../schema/incident.input.js';
import {
  CloseIncidentPayload,
  OpenIncidentPayload,
  ReopenIncidentPayload,
  UpdateIncidentPayload,
} from '../schema/incident.type.js';
import type { IncidentHandlingService } from '../services/incident-handling.js';
import type { IncidentService } from '../services/incidents.js';
import type { IncidentKey } from '../services/locked-incident.js';

@Resolver()
export class IncidentHandlingResolver {
  constructor(
    private readonly handling: IncidentHandlingService,
    private readonly incidents: IncidentService,
  ) {}

  @Mutation(() => OpenIncidentPayload, { description: 'Opens an incident; its clock starts when it is significant.' })
  async openIncident(
    @Arg('input', () => OpenIncidentInput, { description: 'What happened.' }) input: OpenIncidentInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const incidentId = await this.handling.open(caller, input);
    return this.payload({ organizationId: input.organizationId, incidentId }, info);
  }

  @Mutation(() => UpdateIncidentPayload, {
    description: 'Changes an incident. One that is closed has to be opened again first (`CONFLICT`).',
  })
  async updateIncident(
    @Arg('input', () => UpdateIncidentInput, { description: 'What to change.' }) input: UpdateIncidentInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.handling.update(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => CloseIncidentPayload, {
    description: 'Closes an incident. A significant one whose reports were not all sent stays open (`CONFLICT`).',
  })
  async closeIncident(
    @Arg('input', () => CloseIncidentInput, { description: 'Which incident.' }) input: CloseIncidentInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.handling.close(caller, input);
    return this.payload(input, info);
  }

  @Mutation(() => ReopenIncidentPayload, { description: 'Opens a closed incident again; its status is `OPEN` then.' })
  async reopenIncident(
    @Arg('input', () => ReopenIncidentInput, { description: 'Which incident.' }) input: ReopenIncidentInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    await this.handling.reopen(caller, input);
    return this.payload(input, info);
  }

  private async payload({ organizationId, incidentId }: IncidentKey, info: GraphQLResolveInfo) {
    return { incident: await this.incidents.record(organizationId, incidentId, selectionOf(info).of('incident')) };
  }
}
