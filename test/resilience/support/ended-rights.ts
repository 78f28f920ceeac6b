import { setTimeout as sleep } from 'node:timers/promises';
import { digestToken } from '../../../src/auth/token.js';
import type { TestGateway } from '../../support/gateway.js';
import { buildToken } from '../../support/test-data.js';
import { ANNOUNCED, followed, isChosen, prepared, resultOf, type Result } from './interrupted-runs.js';
import { callScenario } from './pair-runs.js';
import { SCENARIOS } from './pair-scenarios.js';
import { mark } from './pair-state.js';
import type { Name, Fixture } from './pair-fixture.js';

type Caller = Name | 'anonymous';

/** A request of another caller that revokes a right of the caller, or deletes its subject. */
interface Ending {
  /** Whether the caller has the right. */
  of: (by: Caller) => boolean;
  prepare?: (fixture: Fixture) => Promise<unknown>;
  mutation: string;
  input: (fixture: Fixture, by: Name) => Promise<object> | object;
  /** The token of the revoking request: that of another owner when absent. */
  token?: (fixture: Fixture, by: Name) => Promise<string> | string;
}

const OUTSIDE = /^(?:invitee|auditor|account|anonymous)$/;
const isMember = (by: Caller) => !OUTSIDE.test(by);
const isPerson = (by: Caller) => by !== 'account' && by !== 'anonymous';
const isKnown = (by: Caller) => by !== 'anonymous';
const only = (name: Name) => (by: Caller) => by === name;
const isAny = () => true;

const of = ({ organizationId }: Fixture) => ({ organizationId });
const engagement = (fixture: Fixture) => ({ ...of(fixture), engagementId: fixture.engagementId });
const account = (fixture: Fixture) => ({ ...of(fixture), serviceAccountId: fixture.serviceAccountId });
const member =
  (values: object = {}) =>
  (fixture: Fixture, by: Name) => ({ ...of(fixture), userId: fixture.people[by].id, ...values });

async function callingToken({ database, people }: Fixture, by: Name): Promise<{ tokenId: number }> {
  const digest = digestToken(people[by].token);
  const [row] = await database.rows<{ id: number }>('select id from api_token where digest = $1', [digest]);
  return { tokenId: row!.id };
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'member removed': { of: isMember, mutation: 'removeMember', input: member() },
  'member deactivated': { of: isMember, mutation: 'updateMember', input: member({ active: false }) },
  'role lowered': { of: isMember, mutation: 'updateMember', input: member({ role: 'VIEWER' }) },
  'token revoked': {
    of: isKnown,
    mutation: 'revokeApiToken',
    input: callingToken,
    token: ({ people }, by) => people[by].token,
  },
  'token blocked': {
    of: isMember,
    mutation: 'blockApiToken',
    input: async (fixture, by) => ({ ...of(fixture), ...(await callingToken(fixture, by)) }),
  },
  'user erased': {
    of: isPerson,
    mutation: 'eraseMe',
    input: ({ people }, by) => ({ username: people[by].username }),
    token: ({ database, people }, by) => buildToken(database, people[by], {}),
  },
  'organization deleted': { of: isAny, mutation: 'deleteOrganization', input: of },
  'sandbox reset': {
    of: isAny,
    prepare: ({ database, organizationId }) =>
      database.rows('update organization set sandbox = true where id = $1', [organizationId]),
    mutation: 'resetSandbox',
    input: of,
  },
  'sign-in required': {
    of: isMember,
    prepare: ({ database, identityProviderId }) =>
      database.rows('update identity_domain set verified_at = now() where provider_id = $1', [identityProviderId]),
    mutation: 'updateIdentityProvider',
    input: (fixture) => ({ ...of(fixture), identityProviderId: fixture.identityProviderId, required: true }),
  },
  'engagement ended': {
    of: only('auditor'),
    mutation: 'updateEngagement',
    input: (fixture) => ({ ...engagement(fixture), until: new Date(Date.now() - 1).toISOString() }),
  },
  'auditor removed': {
    of: only('auditor'),
    mutation: 'removeAuditor',
    input: (fixture) => ({ ...engagement(fixture), userId: fixture.people.auditor.id }),
  },
  'service account deleted': { of: only('account'), mutation: 'deleteServiceAccount', input: account },
  'service account lowered': {
    of: only('account'),
    mutation: 'updateServiceAccount',
    input: (fixture) => ({ ...account(fixture), role: 'VIEWER' }),
  },
};

const endingsOf = (name: string): string[] =>
  Object.keys(ENDINGS).filter((ending) => ENDINGS[ending]!.of(SCENARIOS[name]!.by));

/** Each scenario with each right that its caller may lose meanwhile. */
export const LOSSES = Object.keys(SCENARIOS)
  .flatMap((name) => endingsOf(name).map((ending) => ({ name, ending })))
  .filter(({ name, ending }) => isChosen(`${name}, ${ending}`));

/** When the right is revoked: at a step of the request, before it, after it or never; or without a request. */
type Moment = number | 'first' | 'last' | 'never' | 'alone';

interface EndedResult extends Result {
  /** Whether the right was revoked, which may be refused. */
  hasEnded: boolean;
}

/** Runs the operation of a scenario whose caller loses a right at a given point. */
export async function runEnded(
  gateway: TestGateway,
  { name, ending }: (typeof LOSSES)[number],
  moment: Moment,
): Promise<EndedResult> {
  const fixture = await prepared(gateway, name);
  const { by: caller } = SCENARIOS[name]!;
  const by = caller === 'anonymous' ? 'invitee' : caller;
  const { prepare, mutation, input, token } = ENDINGS[ending]!;
  await prepare?.(fixture);
  const other = fixture.people[by === 'owner' ? 'heir' : 'owner'].token;
  const sent = { token: (await token?.(fixture, by)) ?? other, variables: { input: await input(fixture, by) } };
  const type = gateway.app.executor.schema.getMutationType()!.getFields()[mutation]!.args[0]!.type;
  const document = `mutation ($input: ${type}) { ${mutation}(input: $input) { __typename } }`;
  const end = async () => (await gateway.graphql.call(document, sent)).body.errors === undefined;
  const from = await mark(fixture);
  let ended: Promise<boolean> | undefined;
  const interruption = () => (ended = end());
  if (moment === 'first') await interruption().then(() => sleep(ANNOUNCED));
  const place = typeof moment === 'number' ? { before: moment, interruption } : undefined;
  const run = await followed(gateway, place, async (headers) =>
    moment === 'alone' ? '' : callScenario(gateway, name, fixture, headers),
  );
  const hasEnded = moment !== 'never' && (await (ended ?? end()));
  return { ...(await resultOf(gateway, fixture, from, run)), hasEnded };
}
