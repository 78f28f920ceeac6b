import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contractsOf } from '../../scripts/contracts.js';
import { createSchema } from '../../src/resolvers/index.js';
import { below, misfits, partAt } from '../support/contract/description.js';
import { organizationErrors } from '../support/organization-errors.js';
import { INDUSTRIES } from '../../src/values/sectors.js';

type Json = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

const ROOT = resolve(import.meta.dirname, '../..');
let contracts: Record<string, string>;
let document: Json;

beforeAll(async () => {
  contracts = contractsOf(await createSchema());
  document = JSON.parse(contracts['openapi.json'] as string) as Json;
});

function operations(): [name: string, operation: Json, pointer: string][] {
  return Object.entries(document['paths'] as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]): [string, Json, string] => [
      `${method.toUpperCase()} ${path}`,
      operation as Json,
      below('#/paths', path, method),
    ]),
  );
}

/** An instant as it is answered; another value as it is. */
function inUtc(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value;
}

function resolved(part: Json): Json {
  if (typeof part['$ref'] !== 'string') return part;
  return (part['$ref'] as string)
    .slice(2)
    .split('/')
    .reduce((at: Json, key) => at[key] as Json, document);
}

describe('the committed contracts', () => {
  test.each(['schema.graphql', 'openapi.json'])('%s is what the code says', (name) => {
    expect(readFileSync(resolve(ROOT, name), 'utf8') === contracts[name]).toBe(true);
  });
});

describe('the interface description', () => {
  test('is an OpenAPI 3.1.0 document of version 1.0.5 with both security schemes and Bearer as alternatives', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.5' } });
    expect(Object.values(document['components']['securitySchemes'] as Json)).toMatchObject([
      { type: 'apiKey', in: 'header', name: 'X-Service-Token' },
      { type: 'apiKey', in: 'query', name: 'X-Service-Token' },
      { type: 'http', scheme: 'bearer' },
    ]);
    expect(document['security']).toEqual([
      { ServiceTokenHeader: [] },
      { ServiceTokenQuery: [] },
      { ServiceTokenBearer: [] },
    ]);
  });

  // Field lists of specification 2.2 to 2.11, in its order and spelling.
  test.each([
    [
      'Organization',
      'id name description number_employees website logo sectors industries nis2_sector compliance_frameworks infrastructure contacts domains ips created_at updated_at',
    ],
    ['ComplianceFramework', 'value fields'],
    ['Contact', 'name role email phone email_report'],
    ['DocumentVersion', 'id artifact_id original_name size content_type source created_by created_at download_url'],
    ['IncidentAttachment', 'id original_name content_type size created_at download_url'],
    ['OrganizationSummary', 'id name logo'],
    ['CloudDefender', 'id organization email fqdn check endpoint services'],
    ['CloudDefender.check', 'stat status web_stat'],
    ['CloudDefenderStat', 'fqdn proxy endpoint datetime'],
    ['WebStat', 'datetime waf_protection total_managed_requests'],
    ['ThreatBlocker', 'id organization atb_key type email check plugin endpoint privateIP services device_id'],
    ['ThreatBlocker.check', 'stat status web_stat chart_stat'],
    ['ThreatBlockerStat', 'vpn dnsbl iplist datetime'],
    ['ChartStat', 'bucket_start bucket_end total_requests malicious_requests'],
    ['ThreatBlocker.plugin', 'name config'],
    ['OrganizationUser', 'id username email first_name last_name role alerts'],
    ['OrganizationUser.alerts', 'atb cloud_defender v_ciso'],
    ['Workflow', 'id name'],
    ['Branding', 'palette custom_colors'],
    ['Branding.custom_colors', 'primary primary_hover primary_dark'],
    ['Notification', 'id organization title message type action read datetime icon extra'],
    ['Notification.extra', 'href'],
    ['UploadDocumentVersionInput', 'filename content content_type source'],
    [
      'CreateOrganizationInput',
      'name description number_employees website logo sectors industries nis2_sector compliance_frameworks infrastructure contacts domains ips',
    ],
  ])('shows %s with the fields of the specification in its order', (name, fields) => {
    const [component, property] = name.split('.') as [string, string?];
    const whole = document['components']['schemas'][component] as Json;
    const part = property === undefined ? whole : (whole['properties'][property] as Json);
    // Additional fields of a sandbox are last.
    const shown = Object.keys(part['properties'] as Json);
    expect(shown.at(-1) === 'sandbox' ? shown.slice(0, -1) : shown).toEqual(fields.split(' '));
  });

  test('gives every JSON answer an example that fits its schema, field for field in order', () => {
    let checked = 0;
    for (const [name, { responses }, pointer] of operations()) {
      for (const status of Object.keys(responses as Json)) {
        const response = partAt<Json>(below(pointer, 'responses', status));
        const json = response.what['content']?.['application/json'] as Json | undefined;
        // A file that is JSON has no schema.
        if (json?.['schema'] === undefined) continue;
        const examples = [
          ...('example' in json ? [json['example']] : []),
          ...Object.values((json['examples'] ?? {}) as Record<string, { value: unknown }>).map(({ value }) => value),
        ];
        expect([name, status, examples.length > 0]).toEqual([name, status, true]);
        for (const example of examples) {
          const described = below(response.pointer, 'content', 'application/json', 'schema');
          expect([name, status, misfits(described, example)]).toEqual([name, status, []]);
          checked += 1;
        }
        const { data } = examples[0] as { data?: unknown };
        const item = Array.isArray(data) ? (data[0] as object) : data;
        if (item !== undefined) expect(Object.keys(item as object)).toEqual(fieldsOf(json['schema'] as Json));
      }
    }
    expect(checked).toBeGreaterThan(80);
  });

  function fieldsOf(envelope: Json): string[] {
    const { data: shown } = resolved(envelope)['properties'] as { data: Json };
    // The last one is what is answered without `include`.
    const data = (shown['anyOf'] as Json[] | undefined)?.at(-1) ?? shown;
    const { properties, required } = resolved((data['items'] as Json | undefined) ?? data) as Record<string, Json>;
    // Fields of a sandbox alone are in no example.
    return Object.keys(properties!).filter((name) => (required as unknown as string[]).includes(name));
  }

  test('answers the example of a change as it was sent', () => {
    for (const [name, { requestBody, responses }] of operations()) {
      const [content] = Object.values((requestBody?.['content'] ?? {}) as Json) as Json[];
      const success = (responses as Json)['201'] ?? (responses as Json)['200'];
      const answered = (success?.['content']?.['application/json']?.['example']?.['data'] ?? {}) as Json;
      for (const [field, value] of Object.entries((content?.['example'] ?? {}) as Json)) {
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) continue;
        if (typeof answered[field] !== typeof (value ?? '')) continue;
        expect([name, field, inUtc(answered[field])]).toEqual([name, field, inUtc(value ?? '')]);
      }
    }
  });

  test('has states in examples that their operations lead to', () => {
    const state = (operationId: string) => {
      const [, { responses }] = operations().find(([, operation]) => operation['operationId'] === operationId)!;
      const { state, status } = ((responses as Json)['201'] ?? responses['200']).content['application/json'].example
        .data;
      return [operationId, state ?? status];
    };
    const states = {
      ...{ openIncident: 'OPEN', closeIncident: 'CLOSED', reopenIncident: 'OPEN' },
      ...{ attestControl: 'ATTESTED', countersignAttestation: 'COUNTERSIGNED', withdrawAttestation: 'WITHDRAWN' },
    };
    expect(Object.keys(states).map(state)).toEqual(Object.entries(states));
  });

  test('declares messages as strings alone where no integer code is answered: of branding, and of failures of attachments', () => {
    const branding = '/api/v1/organizations/{id}/branding';
    const attachments = '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments';
    for (const [name, { responses }] of operations()) {
      const path = name.slice(name.indexOf('/'));
      for (const [status, response] of Object.entries(responses as Json)) {
        const schema = resolved(response as Json)['content']?.['application/json']?.['schema'] as Json | undefined;
        const items = schema && (resolved(schema)['properties']?.['messages']?.['items'] as Json | undefined);
        const isFailure = Number(status) >= 400;
        if (items === undefined || (!isFailure && path !== branding)) continue;
        const expected = path === branding || path === attachments ? 'string' : ['string', 'integer'];
        expect([name, status, items]).toEqual([name, status, { type: expected }]);
      }
    }
  });

  test('lists for every operation what may fail, with a request id on every answer', () => {
    for (const [name, { responses, security }] of operations()) {
      const statuses = Object.keys(responses as Json);
      const expected = ['405', '429', '500', '503', ...(security === undefined ? ['401', '403'] : [])];
      expect([name, expected.filter((status) => !statuses.includes(status))]).toEqual([name, []]);
      for (const response of Object.values(responses as Json)) {
        expect(Object.keys(resolved(response as Json)['headers'] as Json)).toContain('X-Request-Id');
      }
    }
  });

  test('says of changes alone that an idempotency key was used, and of all of them', () => {
    for (const [name, { responses }] of operations()) {
      const replayed = Object.entries(responses as Json).flatMap(([status, response]) => {
        const { description, headers } = resolved(response as Json);
        const isSaid = `${description}${Object.keys(headers as Json)}`.includes('Idempotency-Replayed');
        return isSaid ? [status] : [];
      });
      if (name.startsWith('GET ')) expect([name, replayed]).toEqual([name, []]);
      else expect([name, replayed]).toEqual([name, expect.arrayContaining(['409'])]);
    }
  });

  test('gives the figures of its own files as examples of a file that is too large', () => {
    const figures = operations().flatMap(([, { operationId, responses }]) => {
      const tooLarge = (responses as Json)['413'] as Json | undefined;
      if (tooLarge === undefined) return [];
      const examples = Object.values(tooLarge['content']['application/json']['examples'] as Json) as Json[];
      return [[operationId, ...examples.map(({ value }) => /\d+ MB/.exec(value.messages[0] as string)?.[0])]];
    });
    expect(figures).toEqual([
      ['createOrganization', '1 MB'],
      ['setOrganizationLogo', '1 MB'],
      ['importMembers', '5 MB', '10 MB'],
      ['importControls', '5 MB', '10 MB'],
      ['importWorkflow', '1 MB', '5 MB'],
      ['previewWorkflowImport', '1 MB', '5 MB'],
      ['uploadDocumentVersion', '10 MB'],
      ['importDocuments', '250 MB'],
      ['uploadIncidentAttachment', '25 MB'],
    ]);
  });

  test('calls operations, types of events and failures of a version as REST does', () => {
    const { paths, components } = document;
    const test = '/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/test';
    expect(paths[test].post.description).toContain('an event of the type `webhook_endpoint.tested`. 409');
    const { ControlUpdateInput, ApiToken } = components.schemas;
    expect(ControlUpdateInput.properties.version.description).toContain('nothing is changed: 412.');
    expect(ApiToken.properties.replaced_at.description).toContain('by `rotateToken`');
  });

  test('says of what is still there after a DELETE that it is the record as it is now', () => {
    const deletes = operations().filter(([name]) => name.startsWith('DELETE '));
    for (const [name, { responses }] of deletes) {
      const { description, headers } = (responses as Json)['200'] as Json;
      const expected = 'ETag' in (headers as Json) ? 'The record as it is now.' : 'The deleted record.';
      expect([name, description]).toEqual([name, expected]);
    }
  });

  test('names a server that is configured, and leaves it open in the committed document', () => {
    expect(document['servers']).toMatchObject([{ url: '{base_url}' }]);
  });
});

describe('the schema of an organization that is sent', () => {
  const whole = '#/components/schemas/CreateOrganizationInput';
  const contact = { email: 'a@b.example' };

  test.each<[string, Json]>([
    ['a name alone', { name: 'A' }],
    [
      'nulls',
      { name: 'A', description: null, sectors: null, infrastructure: null, contacts: null, number_employees: null },
    ],
    ['an empty NIS 2 sector', { name: 'A', nis2_sector: '' }],
    ['every industry', { name: 'A', industries: [...INDUSTRIES] }],
    ['extra framework fields', { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: { any: 1 } }] }],
    [
      'NIS2 with its entity type',
      { name: 'A', compliance_frameworks: [{ value: 'NIS2', fields: { entity_type: 'important' } }] },
    ],
    ['a contact by phone', { name: 'A', contacts: [{ phone: '1', email: '' }] }],
    ['a weekly report', { name: 'A', contacts: [{ ...contact, email_report: true }] }],
  ])('lets pass what the rules let pass: %s', (_what, body) => {
    expect(organizationErrors(body)).toEqual([]);
    expect(misfits(whole, body)).toEqual([]);
  });

  test.each<[string, Json]>([
    ['no name', {}],
    ['an unknown field', { name: 'A', numberEmployees: 1 }],
    ['an unknown field of a contact', { name: 'A', contacts: [{ ...contact, emailReport: true }] }],
    ['one letter off', { name: 'A', sectors: ['energy'] }],
    ['an industry that is corrected', { name: 'A', industries: ['Higher Education/Academia'] }],
    ['an infrastructure in other letters', { name: 'A', infrastructure: 'Cloud' }],
    ['half an employee', { name: 'A', number_employees: 0.5 }],
    ['fewer employees than none', { name: 'A', number_employees: -1 }],
    ['NIS2 without its entity type', { name: 'A', compliance_frameworks: [{ value: 'NIS2', fields: {} }] }],
    ['a framework without fields', { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023' }] }],
    ['a contact that cannot be reached', { name: 'A', contacts: [{ name: 'X', email: '', phone: '' }] }],
    ['a report without an address', { name: 'A', contacts: [{ phone: '1', email_report: true }] }],
    ['no hostname', { name: 'A', domains: ['not a host'] }],
    ['no IPv4 address', { name: 'A', ips: ['::1'] }],
    ['text for a list', { name: 'A', ips: '192.0.2.1' }],
  ])('refuses what the rules refuse: %s', (_what, body) => {
    expect(organizationErrors(body)).not.toEqual([]);
    expect(misfits(whole, body)).not.toEqual([]);
  });
});
