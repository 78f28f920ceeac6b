import { INCIDENT_REPORT_STAGES } from '../../src/values/enums.js';
import { describe, expect, test } from '@jest/globals';
import { FORMATS } from '../../src/common/formats.js';
import { toEnumName } from '../../src/common/naming.js';
import { buildEngagement } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildWorkflow } from '../support/test-data.js';
import { expectData } from '../support/matchers.js';

const PATH = '/api/v1/options';

const { gateway, testData } = await startSeededGateway({ config: { downloadLinkMinutes: 45 } });

const options = async () => expectData(await gateway.rest.get(PATH, { token: testData.userWithoutOrganization.token }));

describe('GET /api/v1/options', () => {
  test('has the value lists of the specification in their size, order and spelling', async () => {
    const { sectors, industries, nis2_sectors, compliance_frameworks, infrastructures, document_sources } =
      await options();
    expect([sectors.length, sectors[1], sectors.at(-1)]).toEqual([
      25,
      'Arts & Entertainment',
      'Wholesale & Distribution',
    ]);
    expect([industries.length, industries[0], industries.at(-1)]).toEqual([151, 'Accounting', 'Writing/Editing']);
    expect(industries).toContain('Higher Education/Acadamia');
    expect([nis2_sectors.length, nis2_sectors[0], nis2_sectors[1]]).toEqual([40, '', 'Acqua potabile']);
    expect(compliance_frameworks).toEqual([
      { value: 'ISO 27001:2023', extensions: ['ISO 27017:2021', 'ISO 27018:2020'], entity_types: [] },
      { value: 'NIS2', extensions: [], entity_types: ['important', 'essential'] },
    ]);
    expect(infrastructures).toEqual(['cloud', 'on-prem', 'hybrid']);
    expect(document_sources).toEqual(['attached', 'generated', 'imported']);
  });

  test('creation takes every value that is offered', async () => {
    const { sectors, industries, nis2_sectors, infrastructures, compliance_frameworks } = await options();
    const create = (body: object) =>
      gateway.rest.post('/api/v1/organizations', {
        token: testData.userWithoutOrganization.token,
        body: { name: 'A', ...body },
      });
    expectData(await create({ sectors, industries }), 201);
    for (const nis2_sector of nis2_sectors) expectData(await create({ nis2_sector }), 201);
    for (const infrastructure of infrastructures) expectData(await create({ infrastructure }), 201);
    for (const { value, extensions, entity_types } of compliance_frameworks) {
      for (const entity_type of [null, ...entity_types].slice(entity_types.length === 0 ? 0 : 1)) {
        expectData(await create({ compliance_frameworks: [{ value, fields: { extensions, entity_type } }] }), 201);
      }
    }
  });

  test('settings take every time zone that is offered', async () => {
    const { time_zones } = await options();
    expect(time_zones).toEqual(expect.arrayContaining(['UTC', 'Europe/Rome', 'America/New_York']));
    expect(new Set(time_zones).size).toBe(time_zones.length);
    expect(time_zones.filter((name: string) => FORMATS['time-zone'](name) !== undefined)).toEqual([]);
    const known = await gateway.app.database.rows<{ name: string }>('select name from pg_timezone_names');
    expect(time_zones.filter((zone: string) => !known.some(({ name }) => name === zone))).toEqual([]);
  });

  test('has time zones under the names that a PostgreSQL without older ones knows', async () => {
    const { time_zones } = await options();
    const today = ['Africa/Asmara', 'America/Argentina/Buenos_Aires', 'America/Nuuk', 'Asia/Kolkata', 'Europe/Kyiv'];
    expect(time_zones).toEqual(expect.arrayContaining(today));
    // Names from Node that `tzdata` of Debian 13 lacks.
    const legacy = `Africa/Asmera America/Buenos_Aires America/Catamarca America/Cordoba America/Godthab America/Indianapolis
      America/Jujuy America/Louisville America/Mendoza Asia/Calcutta Asia/Katmandu Asia/Rangoon Asia/Saigon Atlantic/Faeroe
      Europe/Kiev Pacific/Enderbury Pacific/Ponape Pacific/Truk`;
    expect(legacy.split(/\s+/).filter((name) => time_zones.includes(name))).toEqual([]);
  });

  test('has the ladder of roles, enumerations, types of files, defaults and limits', async () => {
    const { roles, ...all } = await options();
    const { formOptions } = await gateway.graphql.data('{ formOptions { roles { role rank privileges } } }', {
      token: testData.owner.token,
    });
    expect(roles).toEqual(formOptions.roles);
    expect(all).toMatchObject({
      notification_types: ['INCIDENT', 'DOCUMENT', 'DEVICE', 'WORKFLOW', 'MEMBER', 'TOKEN', 'SYSTEM'],
      notification_actions: ['OPEN', 'NONE'],
      severities: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
      incident_statuses: ['OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED'],
      incident_report_stages: INCIDENT_REPORT_STAGES,
      control_statuses: ['TO_DO', 'IN_PROGRESS', 'DONE', 'NOT_APPLICABLE'],
      device_kinds: ['cloud-defender', 'atb'],
      check_statuses: [
        { name: 'UNKNOWN', value: 0 },
        { name: 'HEALTHY', value: 1 },
        { name: 'DEGRADED', value: 2 },
        { name: 'DOWN', value: 3 },
      ],
      settings: {
        time_zone: 'UTC',
        country: null,
        trust_service_provider: false,
        report_weekday: 1,
        query_token_allowed: true,
        user_webhooks_allowed: true,
        audit_retention_days: null,
      },
      branding: {
        palette: 'default',
        custom_colors: { primary: '#1F6FEB', primary_hover: '#1A5FCC', primary_dark: '#0D3A80' },
      },
    });
    expect(all.file_types).toHaveLength(27);
    expect(all.logo_types.map(({ name }: { name: string }) => name)).toEqual(['PNG', 'JPEG', 'WEBP']);
    expect(all.limits).toEqual(
      expect.arrayContaining([
        { name: 'document.max_bytes', value: 10_485_760 },
        { name: 'page.max_size', value: 100 },
        { name: 'organization.name_characters', value: 200 },
        { name: 'branding.least_contrast', value: 4.5 },
        { name: 'document.download_link_minutes', value: 45 },
        // Clients find limits by these names.
        { name: 'document.versions_kept', value: 10 },
        { name: 'check.kept_days', value: 90 },
        { name: 'events.kept_days', value: 90 },
        { name: 'webhook.kept_days', value: 30 },
        { name: 'import_job.kept_days', value: 7 },
        { name: 'idempotency.hours_kept', value: 24 },
        { name: 'idempotency.kept_answer_bytes', value: 65_536 },
        { name: 'recovery.kept_hours', value: 24 },
      ]),
    );
    for (const { value } of all.limits) expect(typeof value).toBe('number');
  });

  test('may be cached for an hour, and is answered with 304 to who has it', async () => {
    const { token } = testData.viewer;
    const { headers, text } = await gateway.rest.get(PATH, { token });
    const etag = headers.get('etag') as string;
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, max-age=3600',
      'X-Service-Token, Authorization, Accept-Encoding',
    ]);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const again = await gateway.rest.get(PATH, {
      token: testData.userWithoutOrganization.token,
      headers: { 'if-none-match': etag },
    });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await gateway.rest.get(PATH, { token, headers: { 'if-none-match': '"x"' } });
    expect([other.status, other.text]).toEqual([200, text]);
  });
});

test('GraphQL offers the same, with a revision to select', async () => {
  const { formOptions } = await gateway.graphql.data(
    `{ formOptions { revision sectors { value label } industries { label } nis2Sectors { value label }
      infrastructures { value label } deviceKinds { value label } complianceFrameworks { value label }
      fileTypes { name extensions } limits { name value } } }`,
    { token: testData.viewer.token },
  );
  const { sectors, industries, nis2_sectors, infrastructures, file_types, limits } = await options();
  const labelled = (labels: readonly string[]) => labels.map((label) => ({ value: toEnumName(label), label }));
  expect(formOptions).toEqual({
    revision: expect.stringMatching(/^[\w-]{43}$/),
    sectors: labelled(sectors),
    industries: industries.map((label: string) => ({ label })),
    nis2Sectors: labelled(nis2_sectors.slice(1)),
    infrastructures: labelled(infrastructures),
    deviceKinds: labelled(['cloud-defender', 'atb']),
    complianceFrameworks: labelled(['ISO 27001:2023', 'NIS2']),
    fileTypes: file_types.map(({ name, extensions }: { name: string; extensions: string[] }) => ({ name, extensions })),
    limits,
  });
});

describe('labels', () => {
  const token = () => testData.viewer.token;
  const ofOptions = {
    rest: async (language?: string) =>
      (await gateway.rest.get(`${PATH}${language === undefined ? '' : `?language=${language}`}`, { token: token() }))
        .body,
    graphql: async (language?: string) =>
      (
        await gateway.graphql.call(
          'query ($language: String) { formOptions(language: $language) { revision languages { tag name } labels { enumeration value label } } }',
          { token: token(), variables: { language } },
        )
      ).body,
  };

  test('of enumerations are in the requested language, through both APIs, each with a revision of its own', async () => {
    const critical = (label: string) => ({ enumeration: 'IncidentSeverity', value: 'CRITICAL', label });
    const revisions = new Set<string>();
    for (const [language, label, warning] of [
      [undefined, 'Critical', 'Early warning'],
      ['en', 'Critical', 'Early warning'],
      ['it', 'Critica', 'Preallarme (pre-notifica)'],
      ['de', 'Kritisch', 'Frühwarnung'],
    ] as const) {
      const { formOptions } = (await ofOptions.graphql(language)).data;
      const { data } = await ofOptions.rest(language);
      for (const { labels, languages } of [formOptions, data]) {
        expect(labels).toContainEqual(critical(label));
        expect(labels).toContainEqual({ enumeration: 'IncidentReportStage', value: 'EARLY_WARNING', label: warning });
        expect(languages).toContainEqual({ tag: 'it', name: 'Italiano' });
      }
      revisions.add(formOptions.revision);
    }
    expect(revisions.size).toBe(3);
  });

  test('in a language that there is not are refused by both APIs', async () => {
    const sentence = 'language must be one of the languages de, en, it';
    for (const language of ['fr', 'IT', '', '__proto__']) {
      expect((await ofOptions.graphql(language)).errors?.[0]?.extensions).toMatchObject({
        ...{ code: 'BAD_USER_INPUT', messages: [sentence] },
      });
      if (language !== '') expect(await ofOptions.rest(language)).toEqual({ error: 1, messages: [sentence] });
    }
  });

  test('of the Italian baseline are in Italian if that is requested, in the catalogue and in an organization', async () => {
    const { database } = gateway.app;
    const id = testData.organizationId;
    await database.rows(
      `insert into organization_workflow (organization_id, workflow_id) values ($1, 'nis2-it-baseline') on conflict do nothing`,
      [id],
    );
    const restored = 'Verificare periodicamente che i backup siano ripristinabili';
    const ofCatalog = '/api/v1/v-ciso/available-workflows/nis2-it-baseline/controls';
    const ofOrganization = `/api/v1/v-ciso/organizations/${id}/workflows/nis2-it-baseline/controls`;
    for (const path of [ofCatalog, ofOrganization]) {
      const labelsOf = async (query: string) => {
        const controls = [];
        for (const offset of [0, 100])
          controls.push(
            ...expectData(await gateway.rest.get(`${path}?limit=100&offset=${offset}${query}`, { token: token() })),
          );
        return controls.map(({ label }: { label: string }) => label);
      };
      expect(await labelsOf('')).toContain('Test regularly that backups can be restored');
      const italian = await labelsOf('&language=it');
      expect(italian).toContain(restored);
      expect(italian).not.toContain('Test regularly that backups can be restored');
      // Translations of a catalogue are optional: missing texts are English.
      expect(await labelsOf('&language=de')).toEqual(await labelsOf(''));
    }
    const { workflow, organizationWorkflow } = await gateway.graphql.data(
      `query ($id: ID!) { workflow(id: "nis2-it-baseline") { controls(first: 3, language: "it") { nodes { label } } }
         organizationWorkflow(organizationId: $id, workflowId: "nis2-it-baseline") { controls(first: 3, language: "it") { nodes { label } } } }`,
      { token: token(), variables: { id } },
    );
    for (const { controls } of [workflow, organizationWorkflow]) expect(controls.nodes[0].label).toBe('Governo');

    await buildWorkflow(database, id, 'iso-27001-2022');
    const engagementId = await buildEngagement(database, id, { workflow: 'nis2-it-baseline' });
    const versions = `/api/v1/v-ciso/organizations/${id}/workflows/nis2-it-baseline/documents/PR.DS-11.4/versions`;
    const body = { filename: 'test.txt', content: Buffer.from('Restored.').toString('base64') };
    expect((await gateway.rest.post(versions, { token: testData.analyst.token, body })).status).toBe(201);
    const labels = async (language: string | null) => {
      const { one, other, engagement } = await gateway.graphql.data(
        `query ($id: ID!, $engagementId: ID!, $language: String) {
           one: organizationControl(organizationId: $id, workflowId: "nis2-it-baseline", controlId: "PR.DS-11.4", language: $language) { label }
           other: organizationControl(organizationId: $id, workflowId: "iso-27001-2022", controlId: "A.8.13") {
             evidence { sources { label(language: $language) } } }
           engagement(organizationId: $id, id: $engagementId) { controls(first: 1) { nodes { label(language: $language) } } } }`,
        { token: testData.owner.token, variables: { id, engagementId, language } },
      );
      return [one.label, other.evidence.sources[0].label, engagement.controls.nodes[0].label];
    };
    const english = 'Test regularly that backups can be restored';
    expect(await labels(null)).toEqual([english, english, 'Govern']);
    expect(await labels('it')).toEqual([restored, restored, 'Governo']);
    expect(await labels('de')).toEqual(await labels('en'));
  });
});
