import { Engagements } from './engagements.js';
import { IdempotencyBudgets } from './idempotency-budgets.js';
import { DatedFacts } from './dated-facts.js';
import { AuditSeals } from './audit-seals.js';
import { IdentityProviders } from './identity-providers.js';
import { InitialSchema } from './initial-schema.js';
import { MoreVersions } from './more-versions.js';
import { TimeZoneSpelling } from './time-zone-spelling.js';
import { ServiceAccounts } from './service-accounts.js';
import { StorageOwner } from './storage-owner.js';
import { Versions } from './versions.js';
import { RegimeScopes } from './regime-scopes.js';
import { WebhookIndexes } from './webhook-indexes.js';
import { Webhooks } from './webhooks.js';
import { WideIds } from './wide-ids.js';
import { Events } from './events.js';

/** Every migration, in order. */
export const migrations = [
  { name: 'InitialSchema', class: InitialSchema },
  { name: 'TimeZoneSpelling', class: TimeZoneSpelling },
  { name: 'StorageOwner', class: StorageOwner },
  { name: 'IdempotencyBudgets', class: IdempotencyBudgets },
  { name: 'DatedFacts', class: DatedFacts },
  { name: 'AuditSeals', class: AuditSeals },
  { name: 'ServiceAccounts', class: ServiceAccounts },
  { name: 'WideIds', class: WideIds },
  { name: 'Events', class: Events },
  { name: 'IdentityProviders', class: IdentityProviders },
  { name: 'Versions', class: Versions },
  { name: 'RegimeScopes', class: RegimeScopes },
  { name: 'MoreVersions', class: MoreVersions },
  { name: 'Engagements', class: Engagements },
  { name: 'Webhooks', class: Webhooks },
  { name: 'WebhookIndexes', class: WebhookIndexes },
];
