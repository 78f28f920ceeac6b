import { describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, uploadThrough, type Operation } from '../support/apis.js';
import { mutation } from '../support/operations.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const ORGANIZATION =
  'id: databaseId name description compliance_frameworks: complianceFrameworks { value fields } contacts { name }';

const OPERATIONS = {
  create: mutation('POST /api/v1/organizations', 'createOrganization', `organization { ${ORGANIZATION} }`),
  addDevice: mutation('POST /api/v1/atb', 'createThreatBlocker', 'threatBlocker { type plugin { name config } }'),
  upload: mutation(
    'POST /api/v1/v-ciso/incidents/{organization_id}/{incident_id}/attachments',
    'uploadIncidentAttachment',
    'attachment { original_name: filename }',
  ),
  open: mutation(
    'POST /api/v1/v-ciso/incidents/{organization_id}',
    'openIncident',
    'incident { id: databaseId title }',
  ),
} satisfies Record<string, Operation>;

/** Decomposed, as by macOS and some programs: letters and accents separate. */
const apart = (text: string) => text.normalize('NFD');

const { gateway, testData } = await startSeededGateway();

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, testData.owner.token);

  test('texts are stored in one Unicode form at every depth, and JSON of the customer as it was sent', async () => {
    const fields = { entity_type: 'essential', [apart('clé')]: [apart('é')] };
    const created = dataOf(
      await call('create', {
        name: apart('Città'),
        description: apart('è così'),
        compliance_frameworks: [{ value: 'NIS2', fields }],
        contacts: [{ name: apart('Zoë'), email: 'zoe@example.com' }],
      }),
    );
    expect(created).toMatchObject({ name: 'Città', description: 'è così', contacts: [{ name: 'Zoë' }] });
    expect(created.compliance_frameworks[0].fields).toEqual(fields);
    const [row] = await gateway.app.database.rows('select name from organization where id = $1', [created.id]);
    expect(row).toEqual({ name: 'Città' });
  });

  test('the configuration of a plugin is stored as it was sent, and the name beside it in one form', async () => {
    const config = { [apart('clé')]: apart('é') };
    const plugin = { name: apart('Modèle'), config };
    const input = { organization_id: testData.organizationId, type: apart('pare-feu à état'), plugin };
    const device = dataOf(await call('addDevice', { email: 'a@example.com', endpoint: '192.0.2.1', ...input }));
    expect(device).toMatchObject({ type: 'pare-feu à état', plugin: { name: 'Modèle', config } });
  });

  test('a text that is too long in the form in which it is stored is refused', async () => {
    // This letter has no composed form: it is stored as two characters.
    expectFailure(await call('create', { name: '\u0958'.repeat(101) }), 'BAD_USER_INPUT', [
      'name must not be longer than 200 characters',
    ]);
    expect(dataOf(await call('create', { name: '\u0958'.repeat(100) })).name).toHaveLength(200);
  });

  test('a text with more marks on a character than any script has is stored as it was sent', async () => {
    // Two marks in the opposite order of Unicode: sorting takes quadratic time.
    const marked = (marks: number) => `e${'\u0301\u0316'.repeat(marks / 2)}`;
    const { id, name } = dataOf(await call('create', { name: marked(32), description: marked(30) }));
    expect(name).toBe(marked(32));
    const [row] = await gateway.app.database.rows('select description from organization where id = $1', [id]);
    expect(row).toEqual({ description: `\u00e9${'\u0316'.repeat(15)}${'\u0301'.repeat(14)}` });
    expectFailure(await call('create', { name: marked(500_000) }), 'BAD_USER_INPUT', [
      'name must not be longer than 200 characters',
    ]);
  });

  test('the name of a file is stored in one form', async () => {
    const where = { organization_id: testData.organizationId };
    const { id } = dataOf(await call('open', { ...where, title: 'Incident', severity: 'LOW' }));
    const file = { filename: apart('Perché.txt'), contentType: 'text/plain', bytes: Buffer.from('words\n') };
    const input = { ...where, incident_id: id };
    const uploaded = await uploadThrough(api, gateway, OPERATIONS.upload, input, file as never, testData.owner.token);
    expect(dataOf(uploaded).original_name).toBe('Perché.txt');
  });
});

test('texts that stand in the document of a query are composed as well', async () => {
  const query = `mutation { createOrganization(input: { name: "${apart('Perù')}" }) { organization { name } } }`;
  const { body } = await gateway.graphql.call(query, { token: testData.owner.token });
  expect(body.data).toEqual({ createOrganization: { organization: { name: 'Perù' } } });
});
