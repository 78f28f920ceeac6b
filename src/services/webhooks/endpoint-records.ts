import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import type { WebhookDisabledReason } from '../../values/enums.js';
import { record, type AuditFacts } from '../audit/record.js';
import { disableEndpoint, enabledBy, giveUpPending } from './endpoint-statements.js';

/** An endpoint, as its entries name it: addresses may have a secret of the receiver in them, hosts have none. */
interface RecordedEndpoint {
  organizationId: number;
  id: number;
  url: string;
}

/** What the gateway does by itself. */
export const SYSTEM = { kind: 'system', name: 'webhooks.send' } as const;

export function recordEndpoint(
  tx: Queryable,
  actor: Actor | Caller,
  { organizationId, id, url }: RecordedEndpoint,
  facts: AuditFacts,
): Promise<void> {
  return record(tx, actor, { ...facts, organizationId, subject: { type: 'WEBHOOK_ENDPOINT', id, name: hostOf(url) } });
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
  await giveUpPending.all(tx, { id, error: DISABLED });
  const changes = { status: { before: 'ENABLED', after: 'DISABLED' }, disabledReason: { after: reason } };
  await recordEndpoint(tx, actor, endpoint, { action: 'WEBHOOK_ENDPOINT_DISABLED', at, changes });
}

export const DISABLED = 'The endpoint was disabled.';

/** When a member may not manage webhooks any more: what it had enabled reaches no receiver, until a manager enables it. */
export async function disableWebhooksOf(
  tx: Queryable,
  actor: Actor | Caller,
  { organizationId, userId, at }: { organizationId: number; userId: string; at: Date },
): Promise<void> {
  for (const { id } of await enabledBy.all(tx, { organizationId, userId }))
    await disable(tx, actor, { id, reason: 'MEMBER_LEFT', at });
}
