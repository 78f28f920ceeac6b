import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import type { WebhookDisabledReason } from '../../values/enums.js';
import { PersonalValue } from '../audit/personal-values.js';
import { record, type AuditFacts } from '../audit/record.js';
import {
  disableEndpoint,
  enabledBy,
  endpointsOfUser,
  lockAllOf,
  placeOf,
  removeEndpoint,
  type EndpointOwner,
} from './endpoint-statements.js';
import { giveUpPending } from './sending-statements.js';

/** An endpoint, as its entries name it: addresses may have a secret of the receiver in them, hosts have none. */
type RecordedEndpoint = EndpointOwner & { id: number; url: string };

/** The caller for the gateway's own actions. */
export const SYSTEM = { kind: 'system', name: 'webhooks.send' } as const;

/** In the trail of the organization, or in the user's own. */
export function recordEndpoint(
  tx: Queryable,
  actor: Actor | Caller,
  { id, url, ...owner }: RecordedEndpoint,
  facts: AuditFacts,
): Promise<void> {
  const name = hostOf(url);
  if (owner.userId !== null)
    return record(tx, actor, { ...facts, userId: owner.userId, subject: usersSubject({ ...owner, id, url }) });
  const { organizationId } = owner;
  return record(tx, actor, { ...facts, organizationId, subject: { type: 'WEBHOOK_ENDPOINT', id, name } });
}

/** A user's endpoint, also in the trails of organizations. */
export function usersSubject({ userId, id, url }: { userId: string; id: number; url: string }) {
  return { type: 'USER_WEBHOOK_ENDPOINT', id, name: new PersonalValue(userId, hostOf(url)) } as const;
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Disables an endpoint that is enabled, and gives up what waits for it. */
export async function disable(
  tx: Queryable,
  actor: Actor | Caller,
  { id, reason, at }: { id: number; reason: WebhookDisabledReason; at: Date },
): Promise<void> {
  const endpoint = await disableEndpoint.first(tx, { id, reason, now: at });
  if (endpoint === undefined) return;
  await giveUpPending(tx, { id, error: DISABLED });
  const changes = { status: { before: 'ENABLED', after: 'DISABLED' }, disabledReason: { after: reason } };
  const facts = { action: 'WEBHOOK_ENDPOINT_DISABLED', at, changes } as const;
  await recordEndpoint(tx, actor, endpoint, facts);
  const { userId } = endpoint;
  const place = userId === null ? undefined : await placeOf.first(tx, { userId });
  if (userId === null || place === undefined) return;
  // Where its user is notified.
  await record(tx, actor, {
    ...facts,
    ...place,
    subject: usersSubject({ ...endpoint, userId }),
    changes: { ...changes, user: { after: userId } },
  });
}

export const [DISABLED, REMOVED] = ['The endpoint was disabled.', 'The endpoint was deleted.'];

/** Deletes an endpoint that is locked, and gives up what waits for it. */
export async function remove(
  tx: Queryable,
  actor: Actor | Caller,
  endpoint: RecordedEndpoint,
  at: Date,
): Promise<void> {
  const { id, userId, url } = endpoint;
  await removeEndpoint.all(tx, { id, now: at });
  await giveUpPending(tx, { id, error: REMOVED });
  const host = userId === null ? hostOf(url) : new PersonalValue(userId, hostOf(url));
  await recordEndpoint(tx, actor, endpoint, {
    ...{ action: 'WEBHOOK_ENDPOINT_DELETED', at },
    changes: { host: { before: host } },
  });
}

/** Of a user who is erased. */
export async function removeWebhooksOf(tx: Queryable, actor: Actor, userId: string, at: Date): Promise<void> {
  for (const endpoint of await endpointsOfUser.all(tx, { userId })) await remove(tx, actor, endpoint, at);
}

/**
 * Locks what `disableWebhooksOf` and `removeWebhooksOf` may change. Call it before anything is recorded: every other change of an
 * endpoint locks it first and the trail after it, and two in different orders would wait for each other.
 */
export async function lockWebhooks(tx: Queryable, organizationIds: readonly number[], userId?: string): Promise<void> {
  await lockAllOf.all(tx, { organizationIds, userId: userId ?? null });
}

/** When a member may not manage webhooks any more: what it had enabled reaches no receiver, until a manager enables it. */
export async function disableWebhooksOf(
  tx: Queryable,
  actor: Actor | Caller,
  { organizationId, userId, at }: { organizationId: number; userId: string; at: Date },
): Promise<void> {
  for (const { id } of await enabledBy.all(tx, { organizationId, userId }))
    await disable(tx, actor, { id, reason: 'MEMBER_LEFT', at });
}
