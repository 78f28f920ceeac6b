import { Kind, parse, visit, type DocumentNode } from 'graphql';
import { ORGANIZATIONS_FRAGMENTS } from './fragments/organizations.js';
import { SETTINGS_FRAGMENTS } from './fragments/settings.js';
import { MEMBERS_FRAGMENTS } from './fragments/members.js';
import { INVITATIONS_FRAGMENTS } from './fragments/invitations.js';
import { TOKEN_RECOVERY_FRAGMENTS } from './fragments/token-recovery.js';
import { TOKENS_FRAGMENTS } from './fragments/tokens.js';
import { OPTIONS_FRAGMENTS } from './fragments/options.js';
import { BRANDING_FRAGMENTS } from './fragments/branding.js';
import { WORKFLOWS_FRAGMENTS } from './fragments/workflows.js';
import { DOCUMENTS_FRAGMENTS } from './fragments/documents.js';
import { INCIDENTS_FRAGMENTS } from './fragments/incidents.js';
import { CLOUD_DEFENDER_FRAGMENTS } from './fragments/cloud-defender.js';
import { THREAT_BLOCKER_FRAGMENTS } from './fragments/threat-blocker.js';
import { WEEKLY_REPORTS_FRAGMENTS } from './fragments/weekly-reports.js';
import { SEARCH_FRAGMENTS } from './fragments/search.js';
import { NOTIFICATIONS_FRAGMENTS } from './fragments/notifications.js';

/**
 * An operation behind a route. Its aliases are the specification's names in the specification's order: what
 * comes out of them is what goes over the wire, and no answer is ever walked. Three conventions:
 * the field called `data` is the envelope's `data` and its neighbour `total` the envelope's `total` (specification
 * 2.1); a variable is the route's parameter of that name, or `file` or `input` for what a body holds; a fragment is
 * a schema of that name in the interface description. The fragments that it spreads, and theirs, go with it: validation
 * refuses those that nobody uses.
 */
export function operation(source: string): DocumentNode {
  const parsed = parse(source, { noLocation: true });
  const used = new Map<string, DocumentNode>();
  spread(parsed, used);
  return {
    kind: Kind.DOCUMENT,
    definitions: [...parsed.definitions, ...[...used.values()].flatMap(({ definitions }) => definitions)],
  };
}

function spread(node: DocumentNode, used: Map<string, DocumentNode>): void {
  visit(node, {
    FragmentSpread({ name: { value } }) {
      const fragment = FRAGMENTS.get(value);
      if (fragment === undefined || used.has(value)) return;
      used.set(value, fragment);
      spread(fragment, used);
    },
  });
}

function fragmentsOf(source: string): ReadonlyMap<string, DocumentNode> {
  const { definitions } = parse(source, { noLocation: true });
  return new Map(
    definitions.map((definition) => [
      definition.kind === Kind.FRAGMENT_DEFINITION ? definition.name.value : '',
      { kind: Kind.DOCUMENT, definitions: [definition] },
    ]),
  );
}

const FRAGMENTS = fragmentsOf(
  [
    ORGANIZATIONS_FRAGMENTS,
    SETTINGS_FRAGMENTS,
    MEMBERS_FRAGMENTS,
    INVITATIONS_FRAGMENTS,
    TOKENS_FRAGMENTS,
    TOKEN_RECOVERY_FRAGMENTS,
    OPTIONS_FRAGMENTS,
    BRANDING_FRAGMENTS,
    WORKFLOWS_FRAGMENTS,
    DOCUMENTS_FRAGMENTS,
    INCIDENTS_FRAGMENTS,
    CLOUD_DEFENDER_FRAGMENTS,
    THREAT_BLOCKER_FRAGMENTS,
    NOTIFICATIONS_FRAGMENTS,
    WEEKLY_REPORTS_FRAGMENTS,
    SEARCH_FRAGMENTS,
  ].join('\n'),
);
