import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway.js';
import {
  buildIncident,
  buildPerson,
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
  /** The field that reads the object, with `$organization`, `$id` and, of files, `$parent`. */
  read: string;
  /** Mutations of each permission; one of them has valid input, whatever the state. */
  mutations: Record<string, string | readonly string[]>;
  /** Reads what the mutations change; a mutation that changes nothing is not permitted. */
  facts: string;
}

const STAGES = ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT'];
const INCIDENT = 'organizationId: $organization, incidentId: $id';

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
    read: 'incident(organizationId: $organization, id: $id)',
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
    read: 'incidentAttachment(organizationId: $organization, id: $id)',
    mutations: {
      delete:
        'deleteIncidentAttachment(input: { organizationId: $organization, incidentId: $parent, id: $id }) { attachment { id } }',
    },
    facts: 'select id from incident_attachment where id = $1',
  },
];

describe.each(SUBJECTS)('$type', (subject) => {
  const { type, states, read, mutations, facts } = subject;

  test('has a permission for each mutation of the table and no other', async () => {
    const { __type } = await gateway.graphql.data(`{ __type(name: "${type}") { fields { name } } }`);
    expect(__type.fields.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      Object.keys(mutations).toSorted(),
    );
  });

  test.each(Object.keys(states))('says of one that is %s what its mutations accept, to each caller', async (state) => {
    const build = states[state]!;
    for (const caller of CALLERS) {
      const said: Record<string, boolean> = {};
      const done: Record<string, boolean> = {};
      for (const [permission, documents] of Object.entries(mutations)) {
        const id = await build();
        said[permission] = await permissionOf(read, permission, id, tokens[caller]);
        done[permission] = await changes([documents].flat(), facts, id, tokens[caller]);
      }
      expect({ caller, ...said }).toEqual({ caller, ...done });
    }
  });

  test('is true of each permission in some state, and false in another', async () => {
    const all = new Set<string>();
    for (const build of Object.values(states))
      for (const token of Object.values(tokens))
        for (const permission of Object.keys(mutations))
          all.add(`${permission}: ${await permissionOf(read, permission, await build(), token)}`);
    expect(all.size).toBe(2 * Object.keys(mutations).length);
  });
});

async function permissionOf(read: string, permission: string, id: number, token: string): Promise<boolean> {
  const query = `query ($organization: ID!, $id: ID!) { object: ${read} { viewerCan { ${permission} } } }`;
  const { object } = await gateway.graphql.data(query, {
    token,
    variables: { organization: testData.organizationId, id },
  });
  return object.viewerCan[permission];
}

/** Whether one of the mutations is accepted and changes something. */
async function changes(documents: readonly string[], facts: string, id: number, token: string): Promise<boolean> {
  const { database } = gateway.app;
  const [owned] = await database.rows<{ parent: number }>(
    'select incident_id as parent from incident_attachment where id = $1',
    [id],
  );
  const all = { organization: testData.organizationId, id, parent: owned?.parent, file: null };
  const before = await database.rows(facts, [id]);
  for (const document of documents) {
    const used = Object.keys(all).filter((name) => document.includes(`$${name}`));
    const types = used.map((name) => `$${name}: ${name === 'file' ? 'Upload!' : 'ID!'}`);
    const variables = Object.fromEntries(Object.entries(all).filter(([name]) => used.includes(name)));
    const mutation = `mutation (${types.join(', ')}) { ${document} }`;
    const { body } = used.includes('file')
      ? await gateway.graphql.upload(mutation, variables, 'variables.file', FILE, token)
      : await gateway.graphql.call(mutation, { token, variables });
    if (body.errors === undefined) break;
    expect(['FORBIDDEN', 'CONFLICT', 'NOT_FOUND']).toContain(body.errors[0]?.extensions.code);
  }
  return JSON.stringify(await database.rows(facts, [id])) !== JSON.stringify(before);
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
