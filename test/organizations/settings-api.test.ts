import { beforeEach, describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectConflict, expectFailure, type Operation } from '../support/apis.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { buildOrganization, buildPerson, join } from '../support/test-data.js';

const SETTINGS =
  'settings { time_zone: timeZone language country trust_service_provider: trustServiceProvider report_weekday: reportWeekday query_token_allowed: queryTokenAllowed user_webhooks_allowed: userWebhooksAllowed audit_retention_days: auditRetentionDays audit_witness_email: auditWitnessEmail nis2_reporting_from: nis2ReportingFrom qualified_trust_service_provider: qualifiedTrustServiceProvider }';
const BRANDING =
  'branding { palette custom_colors: customColors { primary primary_hover: primaryHover primary_dark: primaryDark } }';
const read = (fields: string) => `query ($organizationId: ID!) { organization(id: $organizationId) { ${fields} } }`;

const OPERATIONS = {
  settings: {
    rest: 'GET /api/v1/organizations/{organization_id}/settings',
    graphql: read(SETTINGS),
    at: 'organization.settings',
  },
  updateSettings: {
    rest: 'PATCH /api/v1/organizations/{organization_id}/settings',
    graphql: `mutation ($input: UpdateOrganizationSettingsInput!) { updateOrganizationSettings(input: $input) { organization { ${SETTINGS} } } }`,
    at: 'updateOrganizationSettings.organization.settings',
  },
  branding: {
    rest: 'GET /api/v1/organizations/{organization_id}/branding',
    graphql: read(BRANDING),
    at: 'organization.branding',
  },
  updateBranding: {
    rest: 'PUT /api/v1/organizations/{organization_id}/branding',
    graphql: `mutation ($input: UpdateBrandingInput!) { updateBranding(input: $input) { organization { ${BRANDING} } } }`,
    at: 'updateBranding.organization.branding',
  },
} satisfies Record<string, Operation>;

const DEFAULT_SETTINGS = {
  time_zone: 'UTC',
  language: 'en',
  country: null,
  trust_service_provider: false,
  report_weekday: 1,
  query_token_allowed: true,
  user_webhooks_allowed: true,
  audit_retention_days: null,
  audit_witness_email: null,
  nis2_reporting_from: null,
  qualified_trust_service_provider: false,
};
const DEFAULT_COLORS = { primary: '#1F6FEB', primary_hover: '#1A5FCC', primary_dark: '#0D3A80' };
const DEFAULT_BRANDING = { palette: 'default', custom_colors: DEFAULT_COLORS };

/** An organization of the owner, created for each case. */
let id: number;

const gateway = await startSharedGateway();
const owner = await buildPerson(gateway.app.database, 'owner');
beforeEach(async () => {
  id = await buildOrganization(gateway.app.database, 'Settled');
  await join(gateway.app.database, owner, id, 'ORGANIZATION_OWNER');
});

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object = {}) =>
    callThrough(api, gateway, OPERATIONS[name], { organization_id: id, ...input }, owner.token);
  const withVersion = (version?: number) => (version === undefined ? {} : { if_match: version });

  describe('the settings of an organization', () => {
    const change = (changes: object, version?: number) =>
      call('updateSettings', { ...changes, ...withVersion(version) });
    const refused = async (changes: object, messages: string[]) =>
      expectFailure(await change(changes), 'BAD_USER_INPUT', messages);

    test('have default values where nothing was set', async () => {
      expect(JSON.stringify(dataOf(await call('settings')))).toBe(JSON.stringify(DEFAULT_SETTINGS));
    });

    test('are changed where a field is sent and not where one is absent; null is the default', async () => {
      const changed = async (changes: object, version: number) =>
        JSON.stringify(dataOf(await change(changes, version)));
      const rome = { ...DEFAULT_SETTINGS, time_zone: 'Europe/Rome', query_token_allowed: false };
      const first = { time_zone: 'Europe/Rome', query_token_allowed: false };
      expect(await changed(first, 1)).toBe(JSON.stringify(rome));
      expect(await changed({ report_weekday: 7 }, 2)).toBe(JSON.stringify({ ...rome, report_weekday: 7 }));
      const nulls = { time_zone: null, report_weekday: null, query_token_allowed: null };
      expect(await changed(nulls, 3)).toBe(JSON.stringify(DEFAULT_SETTINGS));
      expectConflict(await change({ report_weekday: 3 }, 3), 'STALE_VERSION');
      expect(dataOf(await call('settings'))).toEqual(DEFAULT_SETTINGS);
    });

    test('have a time zone that PostgreSQL counts as the gateway does, in any case', async () => {
      expect(dataOf(await change({ time_zone: 'america/new_york' }))).toMatchObject({ time_zone: 'America/New_York' });
      // PostgreSQL does not have the first, reads the second as another zone, and the third without summer time.
      for (const zone of ['AGT', 'BST', 'CET'])
        await refused({ time_zone: zone }, ['time_zone must be an IANA time zone such as Europe/Rome']);
      for (const zone of ['EST', 'GMT', 'Europe/Kyiv', 'EST5EDT'])
        expect(dataOf(await change({ time_zone: zone }))).toMatchObject({ time_zone: zone });
    });

    test('have a country of ISO 3166-1 and no other text', async () => {
      expect(dataOf(await change({ country: 'IT', trust_service_provider: true }))).toMatchObject({
        ...{ country: 'IT', trust_service_provider: true },
      });
      for (const country of ['it', 'XX', 'I1'])
        await refused({ country }, ['country must be an ISO 3166-1 alpha-2 code such as IT']);
      const none = { country: '', trust_service_provider: null };
      expect(dataOf(await change(none))).toMatchObject({ country: null, trust_service_provider: false });
    });

    test('say that a provider of trust services is a qualified one, and of no other organization', async () => {
      await refused({ qualified_trust_service_provider: true }, [
        'qualified_trust_service_provider must not be true unless trust_service_provider is',
      ]);
      const both = { trust_service_provider: true, qualified_trust_service_provider: true };
      expect(dataOf(await change(both))).toMatchObject(both);
      await refused({ trust_service_provider: null }, [
        'trust_service_provider must be true where qualified_trust_service_provider is',
      ]);
      const [row] = await gateway.app.database.rows<{ values: string[] }>(
        `select facts -> 'values' -> 'qualified_trust_service_provider' as values from organization_facts
          where organization_id = $1 order by since desc limit 1`,
        [id],
      );
      expect(row!.values).toEqual(['true']);
      const neither = { trust_service_provider: false, qualified_trust_service_provider: null };
      expect(dataOf(await change(neither))).toMatchObject({ ...neither, qualified_trust_service_provider: false });
    });

    test('have the first day of its duty to report under NIS 2, which is a day of the calendar', async () => {
      expect(dataOf(await change({ nis2_reporting_from: '2028-02-29' }))).toMatchObject({
        nis2_reporting_from: '2028-02-29',
      });
      const [row] = await gateway.app.database.rows<{ values: string[] }>(
        `select facts -> 'values' -> 'nis2_reporting_from' as values from organization_facts where organization_id = $1
          order by since desc limit 1`,
        [id],
      );
      expect(row!.values).toEqual(['2028-02-29']);
      for (const day of ['2027-02-29', '29.2.2028', ''])
        await refused({ nis2_reporting_from: day }, [
          expect.stringContaining('nis2_reporting_from') as unknown as string,
        ]);
      expect(dataOf(await change({ nis2_reporting_from: null }))).toEqual(DEFAULT_SETTINGS);
    });

    test('have a language that the gateway has and no other text; null is English', async () => {
      for (const language of ['it', 'de', 'en']) expect(dataOf(await change({ language })).language).toBe(language);
      for (const language of ['fr', 'IT', 'it-IT', ' it', '__proto__'])
        await refused({ language }, ['language must be one of the languages de, en, it']);
      expect(dataOf(await change({ language: 'it' })).language).toBe('it');
      expect(dataOf(await change({ language: null })).language).toBe('en');
    });

    test('have a time zone of the IANA database and no other text', async () => {
      for (const time_zone of ['UTC', 'Europe/Rome', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1']) {
        expect(dataOf(await change({ time_zone })).time_zone).toBe(time_zone);
      }
      for (const [sent, stored] of [
        ['europe/rome', 'Europe/Rome'],
        ['ASIA/KOLKATA', 'Asia/Kolkata'],
        ['utc', 'UTC'],
        ['america/port-AU-prince', 'America/Port-au-Prince'],
      ]) {
        expect(dataOf(await change({ time_zone: sent })).time_zone).toBe(stored);
      }
      const injection = "UTC'; drop table organization; --";
      for (const time_zone of [' ', '+01:00', 'Europe/Atlantis', 'Rome', 'local', ' UTC', injection]) {
        await refused({ time_zone }, ['time_zone must be an IANA time zone such as Europe/Rome']);
      }
      await refused({ time_zone: `A${'a'.repeat(64)}` }, ['time_zone must not be longer than 64 characters']);
    });

    test('have a weekday from 1 to 7', async () => {
      for (const day of [1, 7]) expect(dataOf(await change({ report_weekday: day })).report_weekday).toBe(day);
      for (const day of [0, 8, -1]) {
        await refused({ report_weekday: day }, ['report_weekday must be from 1 (Monday) to 7 (Sunday)']);
      }
    });

    test('have a retention of the audit trail of at least a year, which only an owner sets and which is recorded', async () => {
      for (const days of [365, 36_500, null])
        expect(dataOf(await change({ audit_retention_days: days })).audit_retention_days).toBe(days);
      for (const days of [364, 0, -1])
        await refused({ audit_retention_days: days }, ['audit_retention_days must be an integer of 365 or more']);
      await refused({ audit_retention_days: 36_501 }, ['audit_retention_days must not be greater than 36500']);
      const manager = await buildPerson(gateway.app.database, 'manager');
      await join(gateway.app.database, manager, id, 'ORGANIZATION_MANAGER');
      const asManager = (changes: object) =>
        callThrough(api, gateway, OPERATIONS.updateSettings, { organization_id: id, ...changes }, manager.token);
      expectFailure(await asManager({ audit_retention_days: 400 }), 'FORBIDDEN');
      expectFailure(await asManager({ audit_retention_days: 400, report_weekday: 2 }), 'FORBIDDEN');
      expect(dataOf(await asManager({ report_weekday: 2 })).report_weekday).toBe(2);
      const recorded = await gateway.app.database.rows<{ change: object }>(
        `select e.entry::jsonb #> '{changes,auditRetentionDays}' as change from audit_entry e
           join audit_log l on l.id = e.log_id
          where l.organization_id = $1 and e.entry::jsonb #> '{changes}' ? 'auditRetentionDays' order by e.position`,
        [id],
      );
      expect(recorded.map(({ change: recordedChange }) => recordedChange)).toEqual([
        { before: null, after: 365 },
        { before: 365, after: 36_500 },
        { before: 36_500, after: null },
      ]);
    });

    test('are sent back as they were read by a manager, whose changes are made beside what only an owner sets', async () => {
      const settings = dataOf(await change({ audit_retention_days: 400, audit_witness_email: 'witness@example.com' }));
      const manager = await buildPerson(gateway.app.database, 'manager');
      await join(gateway.app.database, manager, id, 'ORGANIZATION_MANAGER');
      const asManager = (values: object) =>
        callThrough(api, gateway, OPERATIONS.updateSettings, { organization_id: id, ...values }, manager.token);
      expect(dataOf(await asManager(settings))).toEqual(settings);
      const changed = { ...settings, report_weekday: 3 };
      expect(dataOf(await asManager(changed))).toEqual(changed);
      for (const other of [{ audit_retention_days: null }, { audit_witness_email: null }])
        expectFailure(await asManager({ ...settings, ...other }), 'FORBIDDEN');
      expect(dataOf(await change({}))).toEqual(changed);
    });

    test('have a witness of the audit trail, whom only an owner sets; the address is not in the trail', async () => {
      const email = 'Witness@example.com';
      expect(dataOf(await change({ audit_witness_email: email })).audit_witness_email).toBe(email);
      await refused({ audit_witness_email: 'no-address' }, ['audit_witness_email must be an e-mail address']);
      const manager = await buildPerson(gateway.app.database, 'manager');
      await join(gateway.app.database, manager, id, 'ORGANIZATION_MANAGER');
      const input = { organization_id: id, audit_witness_email: null };
      expectFailure(await callThrough(api, gateway, OPERATIONS.updateSettings, input, manager.token), 'FORBIDDEN');
      expect(dataOf(await change({ audit_witness_email: null })).audit_witness_email).toBeNull();
      const entries = await gateway.app.database.rows<{ entry: string }>(
        `select e.entry from audit_entry e join audit_log l on l.id = e.log_id
          where l.organization_id = $1 and e.entry like '%auditWitnessEmail%'`,
        [id],
      );
      expect(entries).toHaveLength(2);
      expect(JSON.stringify(entries)).not.toContain('itness@example');
    });

    test('are refused with every error at once', async () => {
      await refused({ time_zone: 'Nowhere', report_weekday: 9 }, [
        'time_zone must be an IANA time zone such as Europe/Rome',
        'report_weekday must be from 1 (Monday) to 7 (Sunday)',
      ]);
      await refused({ query_token_allowed: 'yes', hue: 1 }, [
        'query_token_allowed must be true or false',
        'hue is not a known field',
      ]);
    });
  });

  describe('the branding of an organization', () => {
    const change = (changes: object, version?: number) =>
      call('updateBranding', { ...changes, ...withVersion(version) });
    const refused = async (changes: object, messages: string[]) =>
      expectFailure(await change(changes), 'BAD_USER_INPUT', messages);
    const withColors = async (colors: object) => dataOf(await change({ custom_colors: colors })).custom_colors;

    test('has default values where nothing was set, and what is stored otherwise', async () => {
      expect(JSON.stringify(dataOf(await call('branding')))).toBe(JSON.stringify(DEFAULT_BRANDING));
      await gateway.app.database.rows(`update organization set palette = 'ocean', custom_colors = $2 where id = $1`, [
        id,
        JSON.stringify({ primary: '#000001', primaryHover: '#000002', primaryDark: '#000003' }),
      ]);
      expect(dataOf(await call('branding'))).toEqual({
        palette: 'ocean',
        custom_colors: { primary: '#000001', primary_hover: '#000002', primary_dark: '#000003' },
      });
    });

    test('is not found when the organization is deleted', async () => {
      await gateway.app.database.rows('update organization set deleted_at = now() where id = $1', [id]);
      expectFailure(await call('branding'), 'NOT_FOUND');
    });

    test('leaves what is absent, and null is the default', async () => {
      const custom_colors = { primary: '#004466', primary_hover: '#003355', primary_dark: '#001122' };
      const sea = { palette: 'sea', custom_colors: DEFAULT_COLORS };
      expect(JSON.stringify(dataOf(await change({ palette: ' sea ' })))).toBe(JSON.stringify(sea));
      expect(dataOf(await change({ custom_colors }))).toEqual({ palette: 'sea', custom_colors });
      expect(dataOf(await change({ palette: null }))).toEqual({ palette: 'default', custom_colors });
      expect(dataOf(await change({}))).toEqual({ palette: 'default', custom_colors });
      expect(dataOf(await change({ palette: null, custom_colors: null }))).toEqual(DEFAULT_BRANDING);
      expect(dataOf(await call('branding'))).toEqual(DEFAULT_BRANDING);
    });

    test('derives the hover and the dark shade where they are absent or null, with colours in capital letters', async () => {
      expect(await withColors({ primary: '#b4540a' })).toEqual({
        primary: '#B4540A',
        primary_hover: '#9A4808',
        primary_dark: '#612D05',
      });
      expect(await withColors({ primary: '#004466', primary_hover: null, primary_dark: '#00112f' })).toEqual({
        primary: '#004466',
        primary_hover: '#003A57',
        primary_dark: '#00112F',
      });
      const black = '#000000';
      expect(await withColors({ primary: black })).toEqual({
        primary: black,
        primary_hover: black,
        primary_dark: black,
      });
    });

    test('has colours on which white text is readable, and says by how much another one is not', async () => {
      // The lightest grey with a contrast of at least 4.5, and the next one.
      await withColors({ primary: '#767676' });
      const tooLight = (field: string, contrast: string) =>
        `custom_colors.${field} has a contrast of ${contrast} to white text; at least 4.5 is needed`;
      await refused({ custom_colors: { primary: '#777777' } }, [tooLight('primary', '4.47')]);
      await refused({ custom_colors: { primary: '#FFFFFF', primary_hover: '#E07A1F', primary_dark: '#00FF00' } }, [
        tooLight('primary', '1.00'),
        tooLight('primary_hover', '3.01'),
        tooLight('primary_dark', '1.37'),
      ]);
    });

    test('is refused with every error at once', async () => {
      for (const primary of ['#12345', '#1234567', 'red', '', '123456', '#12345G', '#123456 ', '#0000001']) {
        await refused({ palette: ' ', custom_colors: { primary } }, [
          'palette is required',
          'custom_colors.primary must be a colour such as #1F6FEB',
        ]);
      }
      await refused({ palette: 'p'.repeat(51) }, ['palette must not be longer than 50 characters']);
      dataOf(await change({ palette: 'p'.repeat(50) }));
      await refused({ custom_colors: {}, hue: null }, [
        'custom_colors.primary is required',
        'hue is not a known field',
      ]);
      await refused({ custom_colors: { primary: '#000000', accent: '#000000' } }, [
        'custom_colors.accent is not a known field',
      ]);
    });

    test('is changed by one of two requests for the same version at once', async () => {
      const results = await Promise.all([change({ palette: 'one' }, 1), change({ palette: 'other' }, 1)]);
      expect(results.map(({ code }) => code).toSorted()).toEqual(['CONFLICT', 'OK']);
      dataOf(await change({ palette: 'next' }, 2));
    });
  });
});
