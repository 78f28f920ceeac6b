import { Args, ID, Int, Resolver } from 'type-graphql';
import { Viewer } from '../schema/members/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';
import * as webhooks from '../schema/webhooks.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Call, FieldResolver, Input, ListCall, Mutation, Query } from './shared/decorators.js';
import { connectionFrom, listOf, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';

const { WebhookAttempt, WebhookDelivery, WebhookEndpoint } = webhooks;
const { perOrganization, perUser, overlapHours, recoveredAtOnce, keptDays } = LIMITS.webhook;
const MANAGERS = 'Requires ORGANIZATION_MANAGER, or that it is the caller’s own.';

@Resolver(() => WebhookEndpoint)
class WebhookEndpointResolver {
  @Query(() => WebhookEndpoint, `A webhook endpoint. ${MANAGERS}`)
  webhookEndpoint(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has it.') organizationId: number,
    @Arg('id', () => SafeIntScalar, 'Which endpoint.') webhookEndpointId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.webhookEndpoints.read(caller, { organizationId, webhookEndpointId }, selection);
  }

  @Query(() => WebhookDelivery, `What was sent to a webhook endpoint. ${MANAGERS}`)
  webhookDelivery(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the endpoint.') organizationId: number,
    @Arg('webhookEndpointId', () => SafeIntScalar, 'The endpoint.') webhookEndpointId: number,
    @Arg('id', () => SafeIntScalar, 'Which delivery.') webhookDeliveryId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.webhookDeliveries.read(caller, { organizationId, webhookEndpointId, webhookDeliveryId }, selection);
  }

  @Mutation(
    `Creates a webhook endpoint. The secret is in this answer and never again. An organization has ${perOrganization} at most, a user ${perUser}: CONFLICT beyond. ${MANAGERS}`,
    {
      secret: [() => String, 'What requests are signed with (`whsec_…`). It is shown here once.'],
      webhookEndpoint: [() => WebhookEndpoint, 'The endpoint.'],
    },
    { adds: 'webhookEndpoint' },
  )
  async createWebhookEndpoint(
    @Input('The endpoint.') { organizationId, scope, ...values }: webhooks.CreateWebhookEndpointInput,
    @Call('webhookEndpoint') { services, caller, selection }: Call,
  ) {
    const { id, secret } = await services.webhookEndpoints.create(caller, { organizationId, scope }, values);
    return { secret, webhookEndpoint: await services.webhookEndpoints.one(id, selection) };
  }

  @Mutation(
    `Changes a webhook endpoint, enables or disables it. Who enables it is whose membership it ends with. ${MANAGERS}`,
    { webhookEndpoint: [() => WebhookEndpoint, 'The endpoint as it is now.'] },
  )
  async updateWebhookEndpoint(
    @Input('The endpoint.')
    { organizationId, scope, webhookEndpointId, version, ...values }: webhooks.UpdateWebhookEndpointInput,
    @Call('webhookEndpoint') { services, caller, selection }: Call,
  ) {
    const key = { organizationId, scope, webhookEndpointId, version: version ?? null };
    await services.webhookEndpoints.update(caller, key, values);
    return { webhookEndpoint: await services.webhookEndpoints.one(webhookEndpointId, selection) };
  }

  @Mutation(`Deletes a webhook endpoint; nothing more is sent to it. ${MANAGERS}`, {
    webhookEndpoint: [() => WebhookEndpoint, 'The endpoint as it was.'],
  })
  async deleteWebhookEndpoint(
    @Input('The endpoint.') input: webhooks.DeleteWebhookEndpointInput,
    @Call('webhookEndpoint') { services, caller, selection }: Call,
  ) {
    return { webhookEndpoint: await services.webhookEndpoints.delete(caller, input, selection) };
  }

  @Mutation(
    `Puts a new secret in the place of one that signs as well for ${overlapHours} hours. One before that signs no more. ${MANAGERS}`,
    {
      secret: [() => String, 'The new secret. It is shown here once.'],
      webhookEndpoint: [() => WebhookEndpoint, 'The endpoint as it is now.'],
    },
  )
  async rotateWebhookSecret(
    @Input('The endpoint.') input: webhooks.RotateWebhookSecretInput,
    @Call('webhookEndpoint') { services, caller, selection }: Call,
  ) {
    const secret = await services.webhookEndpoints.rotate(caller, input);
    return { secret, webhookEndpoint: await services.webhookEndpoints.one(input.webhookEndpointId, selection) };
  }

  @Mutation(
    `Sends a test to a webhook endpoint in the same way as every event, whatever the endpoint is subscribed to: an event of the type \`webhook_endpoint.tested\`, which is \`WEBHOOK_TESTED\` in GraphQL. CONFLICT while it is disabled. ${MANAGERS}`,
    { eventId: [() => ID, 'The id of its event, by which its delivery is found a moment later.'] },
  )
  async sendTestWebhook(
    @Input('The endpoint.') input: webhooks.SendTestWebhookInput,
    @Call() { services, caller }: Call,
  ) {
    return { eventId: await services.webhookDeliveries.sendTest(caller, input) };
  }

  @Mutation(
    `Sends an event to a webhook endpoint again, whatever came of it before. CONFLICT while the endpoint is disabled. ${MANAGERS}`,
    { webhookDelivery: [() => WebhookDelivery, 'The delivery, which waits for its turn.'] },
  )
  async redeliverWebhook(
    @Input('The delivery.') input: webhooks.RedeliverWebhookInput,
    @Call('webhookDelivery') { services, caller, selection }: Call,
  ) {
    await services.webhookDeliveries.redeliver(caller, input);
    return { webhookDelivery: await services.webhookDeliveries.one(input.webhookDeliveryId, selection) };
  }

  @Mutation(
    `Sends a webhook endpoint what it has missed: what was given up, and what happened while it was disabled, subscribed to other types, or not yet created. ${recoveredAtOnce.toLocaleString('en-US')} events at a time. CONFLICT while it is disabled. ${MANAGERS}`,
    {
      recovered: [() => Int, 'How many events that are.'],
      complete: [() => Boolean, 'Whether these are all; if not, recover again with the same `since`.'],
    },
  )
  recoverWebhooks(
    @Input('The endpoint, and since when.') input: webhooks.RecoverWebhooksInput,
    @Call() { services, caller }: Call,
  ) {
    return services.webhookDeliveries.recover(caller, input);
  }
}

nodeOf(WebhookEndpoint, ['webhookEndpointId'], ({ webhookEndpoints }, caller, key, selection) =>
  webhookEndpoints.read(caller, key, selection),
);
nodeOf(WebhookDelivery, ['webhookDeliveryId'], ({ webhookDeliveries }, caller, key, selection) =>
  webhookDeliveries.read(caller, key, selection),
);

@Resolver(() => Viewer)
class OwnWebhookResolver {
  @FieldResolver(
    connectionOf(WebhookEndpoint),
    'Addresses that the events of every organization which the caller manages are sent to, oldest first; null with an error for a service account and a token of a sign-in.',
    { nullable: true },
  )
  async webhookEndpoints(@Args(() => PageArgs) page: PageArgs, @ListCall() { services, caller, selection }: ListCall) {
    return connectionFrom(await services.webhookEndpoints.ofCaller(caller, page, selection));
  }

  @FieldResolver(
    () => WebhookEndpoint,
    'One webhook endpoint of the caller; null with an error for one that is not there, a service account and a token of a sign-in.',
    { nullable: true },
  )
  webhookEndpoint(
    @Arg('id', () => SafeIntScalar, 'Which endpoint.') webhookEndpointId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.webhookEndpoints.read(caller, { ...OWN, webhookEndpointId }, selection);
  }

  @FieldResolver(
    () => WebhookDelivery,
    'What was sent to one of these; null with an error for one that is not there, a service account and a token of a sign-in.',
    { nullable: true },
  )
  webhookDelivery(
    @Arg('webhookEndpointId', () => SafeIntScalar, 'The endpoint.') webhookEndpointId: number,
    @Arg('id', () => SafeIntScalar, 'Which delivery.') webhookDeliveryId: number,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.webhookDeliveries.read(caller, { ...OWN, webhookEndpointId, webhookDeliveryId }, selection);
  }
}

const OWN = { scope: 'MANAGED_ORGANIZATIONS' } as const;

export const WEBHOOK_RESOLVERS = [
  WebhookEndpointResolver,
  OwnWebhookResolver,
  listOfOrganization('userWebhookEndpoints', webhooks.UserWebhookEndpoint, {
    description:
      'Webhook endpoints of its managers that get its events, oldest first: where else these go. Requires ORGANIZATION_MANAGER; null with an error for lower roles. None where the settings do not allow it, or a sign-in is required.',
    nullable: true,
    authorize: ({ webhookEndpoints }, caller, id) => webhookEndpoints.authorizeList(caller, id),
    load: ({ webhookEndpoints }, ids, query, selection) => webhookEndpoints.usersOf(ids, query, selection),
  }),
  listOfOrganization('webhookEndpoints', WebhookEndpoint, {
    description:
      'Addresses that its events are sent to, oldest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    authorize: ({ webhookEndpoints }, caller, id) => webhookEndpoints.authorizeList(caller, id),
    load: ({ webhookEndpoints }, ids, query, selection) => webhookEndpoints.ofOrganizations(ids, query, selection),
  }),
  listOf(WebhookDelivery, keyOf, 'attempts', WebhookAttempt, {
    description: 'Its attempts, newest first; those before it was sent again included.',
    authorize: ({ webhookEndpoints }, caller, key) => webhookEndpoints.authorizeList(caller, Number.parseInt(key)),
    load: async ({ webhookDeliveries }, keys, query, selection) => {
      const pages = await webhookDeliveries.ofDeliveries(keys.map(idOf), query, selection);
      return new Map(keys.map((key) => [key, pages.get(idOf(key))!]));
    },
  }),
  listOf(WebhookEndpoint, keyOf, 'deliveries', WebhookDelivery, {
    description: `What was sent to it in the last ${keptDays} days, and is to be sent, newest first; to one of a user, from organizations that the user manages now.`,
    filter: [() => webhooks.WebhookDeliveryFilter, 'Which deliveries.'],
    authorize: async ({ webhookEndpoints }, caller, key) => {
      const organizationId = Number.parseInt(key) || null;
      await webhookEndpoints.authorize(caller, { organizationId, webhookEndpointId: idOf(key) }, 'READ_WEBHOOKS');
    },
    load: async ({ webhookDeliveries }, keys, query, selection, caller) => {
      const pages = await webhookDeliveries.ofEndpoints(caller, keys.map(idOf), query, selection);
      return new Map(keys.map((key) => [key, pages.get(idOf(key))!]));
    },
  }),
];

/** The key of an endpoint or a delivery, with the organization that decides who reads it; a user's endpoint has none. */
function keyOf({ organizationId, id }: { organizationId: number | null; id: number }): string {
  return `${organizationId ?? ''}/${id}`;
}

function idOf(key: string): number {
  return Number(key.split('/')[1]);
}
