import { ORGANIZATIONS } from './organizations.js';
import { MEMBERS } from './members.js';
import { IMPORTS } from './imports.js';
import { SERVICE_ACCOUNTS } from './service-accounts.js';
import { TOKENS } from './tokens.js';
import { IDENTITY } from './identity.js';
import { ENGAGEMENTS } from './engagements.js';
import { WEBHOOKS } from './webhooks.js';
import { SCIM } from './scim.js';
import { WORKFLOWS } from './workflows.js';
import { ATTESTATIONS } from './attestations.js';
import { DOCUMENTS } from './documents.js';
import { INCIDENTS } from './incidents.js';
import { DEVICES } from './devices.js';
import { REPORTS } from './reports.js';
import { AUDIT } from './audit.js';
import type { DescribedSubject, EventKind, Requirement } from './domain.js';

/** Privileges of a domain, subjects of audit entries, and their actions with the resulting events. */
interface Domain {
  readonly privileges?: Readonly<Record<string, Requirement>>;
  readonly subjects?: Readonly<Record<string, DescribedSubject>>;
  readonly actions?: Readonly<Record<string, EventKind<string> | { readonly text: string }>>;
}

/** Every domain, in the order in which actions are listed. */
const DOMAINS = [
  ORGANIZATIONS,
  MEMBERS,
  IMPORTS,
  SERVICE_ACCOUNTS,
  TOKENS,
  IDENTITY,
  ENGAGEMENTS,
  WEBHOOKS,
  SCIM,
  WORKFLOWS,
  ATTESTATIONS,
  DOCUMENTS,
  INCIDENTS,
  DEVICES,
  REPORTS,
  AUDIT,
] as const satisfies readonly Domain[];

type Of<Part extends keyof Domain, One = (typeof DOMAINS)[number]> = All<
  One extends { readonly [Name in Part]: unknown } ? One[Part] : never
>;
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void
  ? { readonly [Name in keyof Each]: Each[Name] }
  : never;

function all<Part extends keyof Domain>(part: Part): Of<Part> {
  return Object.freeze(Object.assign({}, ...DOMAINS.map((domain: Domain) => domain[part]))) as Of<Part>;
}

export const DECLARED_PRIVILEGES = all('privileges');
export const DECLARED_SUBJECTS = all('subjects');
export const DECLARED_ACTIONS = all('actions');
