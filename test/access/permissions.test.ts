import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import {
  buildCloudDefender,
  buildIncident,
  buildPerson,
  buildThreatBlocker,
  buildToken,
  join,
  seedTestData,
  type Person,
  type TestData,
} from '../support/test-data.js';

let gateway: TestGateway;
let testData: TestData;
/** Tokens by who has them. */
let tokens: Record<(typeof CALLERS)[number], string>;

const CALLERS = [
  'a viewer',
  'an analyst',
  'another analyst',
  'an officer',
  'a manager',
  'an owner',
  'an owner whose token only reads',
  'an owner whose token reads and reports',
] as const;

beforeAll(async () => {
  gateway = await startGateway();
  const { database } = gateway.app;
  testData = await seedTestData(database);
  const { owner, manager, officer, analyst, viewer, organizationId } = testData;
  const other = await buildPerson(database, 'other');
  await join(database, other, organizationId, 'SECURITY_ANALYST');
  tokens = {
    'a viewer': viewer.token,
    'an analyst': analyst.token,
    'another analyst': other.token,
    'an officer': officer.token,
    'a manager': manager.token,
    'an owner': owner.token,
    'an owner whose token only reads': testData.tokens.readOnly,
    'an owner whose token reads and reports': await buildToken(database, owner, { scopes: ['read', 'telemetry'] }),
  };
});

afterAll(() => gateway?.close());

/** A type with `viewerCan`: how its objects are made and read, and what its permissions are about. */
interface Subject {
  type: string;
  /** Makes an object in each state and returns its id. */
  states: Record<string, () => Promise<number>>;
  /** Those who may read it; all when absent. */
  callers?: readonly (typeof CALLERS)[number][];
  /** Reads fields of the object, or of the newest ones. */
  read: (fields: string) => string;
  /** Mutations of each permission; one of them has valid input, whatever the state. */
  mutations: Record<string, string | readonly string[]>;
  /** Reads what the mutations change; a mutation that changes nothing is not permitted. */
  facts: string;
}

const STAGES = ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT'];
const INCIDENT = 'organizationId: $organization, incidentId: $id';

/** Those who may read devices. */
const MANAGERS = CALLERS.slice(CALLERS.indexOf('a manager'));

const SUBJECTS: Subject[] = [
  {
    type: 'IncidentPermissions',
    states: {
      'open and owes reports': () => incident(''),
      'contained and owes two reports': () => incident(`status = 'CONTAINED', early_warning_sent_at = now()`),
      'open with all reports recorded': () => incident(ALL_SENT),
      'open and not significant': () => incident('significant = false'),
      closed: () => incident(`status = 'CLOSED', closed_at = now(), ${ALL_SENT}`),
    },
    read: (fields) => `incident(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      update: `updateIncident(input: { ${INCIDENT}, title: "Changed" }) { incident { id } }`,
      close: `closeIncident(input: { ${INCIDENT} }) { incident { id } }`,
      reopen: `reopenIncident(input: { ${INCIDENT} }) { incident { id } }`,
      attachFiles: `uploadIncidentAttachment(input: { ${INCIDENT}, file: $file }) { attachment { id } }`,
      recordReports: STAGES.map(
        (stage) => `recordIncidentReport(input: { ${INCIDENT}, stage: ${stage} }) { incident { id } }`,
      ),
      correctReports: STAGES.toReversed().map(
        (stage) =>
          `correctIncidentReport(input: { ${INCIDENT}, stage: ${stage}, sentAt: null, reason: "Wrong" }) { incident { id } }`,
      ),
    },
    facts: `select to_jsonb(i), (select count(*) from incident_attachment a where a.incident_id = i.id)
              from incident i where id = $1`,
  },
  {
    type: 'IncidentAttachmentPermissions',
    states: {
      'attached by the analyst': () => attachment('', testData.analyst),
      'attached by an unknown user': () => attachment('', null),
      'attached by the analyst to a closed incident': () =>
        attachment(`status = 'CLOSED', closed_at = now()`, testData.analyst),
    },
    read: (fields) => `incidentAttachment(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      delete:
        'deleteIncidentAttachment(input: { organizationId: $organization, incidentId: $parent, attachmentId: $id }) { attachment { id } }',
    },
    facts: 'select id from incident_attachment where id = $1',
  },
  {
    type: 'DevicePermissions',
    states: {
      'a cloud defender': () => buildCloudDefender(gateway.app.database, testData.organizationId),
      'a deleted cloud defender': () => deleted('cloud_defender', buildCloudDefender),
    },
    callers: MANAGERS,
    read: (fields) => `inUse: cloudDefenders(organizationId: $organization, last: 1) { nodes { ${fields} } }
      deleted: cloudDefenders(organizationId: $organization, last: 1, filter: { deleted: true }) { nodes { ${fields} } }`,
    mutations: {
      update:
        'updateCloudDefender(input: { cloudDefenderId: $id, fqdn: "changed.example.com" }) { cloudDefender { id } }',
      delete: 'deleteCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } }',
      restore: 'restoreCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } }',
      report: `reportCloudDefenderCheck(input: { cloudDefenderId: $id, reports: [
        { datetime: $now, stat: { fqdn: HEALTHY, proxy: HEALTHY, endpoint: HEALTHY } }] }) { receipt { received } }`,
    },
    facts: 'select to_jsonb(d) from cloud_defender d where id = $1',
  },
  {
    type: 'DevicePermissions',
    states: {
      'a threat blocker': () => buildThreatBlocker(gateway.app.database, testData.organizationId),
      'a deleted threat blocker': () => deleted('threat_blocker', buildThreatBlocker),
    },
    callers: MANAGERS,
    read: (fields) => `inUse: threatBlockers(organizationId: $organization, last: 1) { nodes { ${fields} } }
      deleted: threatBlockers(organizationId: $organization, last: 1, filter: { deleted: true }) { nodes { ${fields} } }`,
    mutations: {
      delete: 'deleteThreatBlocker(input: { threatBlockerId: $id }) { threatBlocker { id } }',
      restore: 'restoreThreatBlocker(input: { threatBlockerId: $id }) { threatBlocker { id } }',
      update: 'rotateAtbKey(input: { threatBlockerId: $id }) { threatBlocker { id } }',
      report: `reportThreatBlockerCheck(input: { threatBlockerId: $id, reports: [
        { datetime: $now, stat: { vpn: HEALTHY, dnsbl: HEALTHY, iplist: HEALTHY } }] }) { receipt { received } }`,
    },
    facts: 'select to_jsonb(d) from threat_blocker d where id = $1',
  },
];

describe.each(SUBJECTS)('viewerCan: $type', (subject) => {
  const { type, states, callers = CALLERS, read, mutations, facts } = subject;

  test(`${type} has a field for each mutation that is tried here, and no other`, async () => {
    const { __type } = await gateway.graphql.data(`{ __type(name: "${type}") { fields { name } } }`);
    expect(__type.fields.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      Object.keys(mutations).toSorted(),
    );
  });

  test.each(Object.keys(states))(
    `${type} of an object that is %s equals what the mutations accept, for each caller`,
    async (state) => {
      const build = states[state]!;
      for (const caller of callers) {
        const said: Record<string, boolean> = {};
        const done: Record<string, boolean> = {};
        for (const [permission, documents] of Object.entries(mutations)) {
          const id = await build();
          said[permission] = await permissionOf(read, permission, id, tokens[caller]);
          done[permission] = await changes([documents].flat(), facts, id, tokens[caller]);
        }
        expect({ caller, ...said }).toEqual({ caller, ...done });
      }
    },
  );

  test(`${type} is tried with states and callers that make each field true and false`, async () => {
    const all = new Set<string>();
    for (const build of Object.values(states))
      for (const caller of callers)
        for (const permission of Object.keys(mutations))
          all.add(`${permission}: ${await permissionOf(read, permission, await build(), tokens[caller])}`);
    expect(all.size).toBe(2 * Object.keys(mutations).length);
  });
});

async function permissionOf(read: Subject['read'], permission: string, id: number, token: string): Promise<boolean> {
  const { body } = await send('query', read(`databaseId viewerCan { ${permission} }`), await valuesOf(id), token);
  const objects = Object.values(body.data).flatMap((found) => (found as { nodes?: object[] }).nodes ?? [found]);
  return (objects as ReadObject[]).find(({ databaseId }) => databaseId === id)!.viewerCan[permission]!;
}

interface ReadObject {
  databaseId: number;
  viewerCan: Record<string, boolean>;
}

/** Whether one of the mutations is accepted and changes something. */
async function changes(documents: readonly string[], facts: string, id: number, token: string): Promise<boolean> {
  const { database } = gateway.app;
  const before = await database.rows(facts, [id]);
  const values = await valuesOf(id);
  for (const document of documents) {
    const { body } = await send('mutation', document, values, token);
    if (body.errors === undefined) break;
    expect(['FORBIDDEN', 'CONFLICT', 'NOT_FOUND']).toContain(body.errors[0]?.extensions.code);
  }
  return JSON.stringify(await database.rows(facts, [id])) !== JSON.stringify(before);
}

/** Values of the variables that documents may name; `$parent` is the incident of a file. */
async function valuesOf(id: number): Promise<Record<Variable, unknown>> {
  const [file] = await gateway.app.database.rows<{ parent: number }>(
    'select incident_id as parent from incident_attachment where id = $1',
    [id],
  );
  const now = new Date().toISOString();
  return { organization: testData.organizationId, id, parent: file?.parent, file: null, now };
}

const VARIABLES = { organization: 'ID!', id: 'ID!', parent: 'ID!', file: 'Upload!', now: 'DateTime!' };

type Variable = keyof typeof VARIABLES;

function send(kind: 'query' | 'mutation', fields: string, values: Record<Variable, unknown>, token: string) {
  const used = Object.entries(VARIABLES).filter(([name]) => fields.includes(`$${name}`));
  const document = `${kind} (${used.map(([name, type]) => `$${name}: ${type}`).join(', ')}) { ${fields} }`;
  const variables = Object.fromEntries(used.map(([name]) => [name, values[name as Variable]]));
  return 'file' in variables
    ? gateway.graphql.upload(document, variables, 'variables.file', FILE, token)
    : gateway.graphql.call(document, { token, variables });
}

const FILE = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('text') };
const ALL_SENT = 'early_warning_sent_at = now(), notification_sent_at = now(), final_report_sent_at = now()';

async function incident(set: string): Promise<number> {
  const id = await buildIncident(gateway.app.database, testData.organizationId);
  if (set !== '') await gateway.app.database.rows(`update incident set ${set} where id = $1`, [id]);
  return id;
}

async function attachment(set: string, uploader: Person | null): Promise<number> {
  const [row] = await gateway.app.database.rows<{ id: number }>(
    `insert into incident_attachment (incident_id, original_name, size, content_type, sha256, created_by, uploader_id)
     values ($1, 'log.txt', 1, 'text/plain', $2, 'someone', $3) returning id`,
    [await incident(set), '0'.repeat(64), uploader?.id ?? null],
  );
  return row!.id;
}

async function deleted(
  table: 'cloud_defender' | 'threat_blocker',
  build: typeof buildCloudDefender | typeof buildThreatBlocker,
): Promise<number> {
  const id = await build(gateway.app.database, testData.organizationId);
  await gateway.app.database.rows(`update ${table} set deleted_at = now() where id = $1`, [id]);
  return id;
}
