/** Values of fields by REST's names, from which random changes are chosen (random-changes.ts). */
export type Values = Readonly<Record<string, readonly unknown[]>>;

/** Questions about the significance of an incident. */
export interface Significance {
  services?: { service: string }[];
  questions?: { question: string; services: string[] }[];
}

/**
 * Texts of one line: empty, in both forms of Unicode, with invisible characters, and with those that JSON and
 * JavaScript escape.
 */
export const LINES = ['', null, 'A', 'Cafe\u0301', 'Caf\u00e9', 'a\u2028b', '\u{1f600} "\\/', '<b>&amp;', '\u200d'];
export const LONG = `Two\r\nlines\tof text, ${'\u{1f600}'.repeat(1_900)}`;
const TEXTS = [...LINES, LONG];
const UNSURE = [null, true, false];

/** The time of awareness of an incident, before every instant below. */
export const LONG_AGO = '2024-01-31T23:30:00.000999Z';
/** Instants with microseconds, on a leap day, in hours that summer time repeats or skips, and in other time zones. */
const INSTANTS = [
  ...[null, '2024-02-29T23:59:59.999999+14:00', '2024-10-27T02:59:59.9994+02:00', '2025-03-30T01:30:00.123456Z'],
  '2025-12-31T23:59:59-12:00',
];
const DAYS = [null, '2028-02-29', '2026-12-31'];

export const CONTACTS = [{ name: 'A', role: 'CISO', email: 'a@example.com', phone: '', email_report: false }];

/** Numbers as keys, which JavaScript sorts first, and numbers with several spellings. */
const ODD = { 10: 1, 9: 1e21, z: [0.1, -0, 1e-7], '': null, '\u{1f600}': { '\ufffd': '' } };

export const PROFILE: Values = {
  ...{
    name: ['Name', 'Cafe\u0301', '\u{1f600}'.repeat(200)],
    description: TEXTS,
    number_employees: [null, 0, 2_147_483_647],
  },
  ...{ website: ['', null, 'https://b\u00fccher.example/?q=%7e'], logo: ['', null, 'https://example.com/logo.png'] },
  ...{ sectors: [['Energy'], ['Energy', 'Utilities'], [], null], industries: [[], null, ['Accounting', 'Animation']] },
  ...{ nis2_sector: ['', 'Energia - Energia elettrica'], infrastructure: ['', null, 'cloud', 'hybrid'] },
  ...{ domains: [[], null, ['example.com', 'xn--bcher-kva.example']], ips: [[], ['192.0.2.1']] },
  compliance_frameworks: [
    ...[[], null, [{ value: 'NIS2', fields: { entity_type: 'essential' } }]],
    [{ value: 'NIS2', fields: { entity_type: 'important', ...ODD } }],
  ],
};

export const SETTINGS: Values = {
  ...{ country: [null, '', 'IT', 'DE'], time_zone: [null, 'UTC', 'Europe/Rome', 'Pacific/Kiritimati'] },
  ...{ language: [null, '', 'de', 'it'], report_weekday: [null, 1, 7], audit_retention_days: [null, 365, 36_500] },
  ...{ trust_service_provider: UNSURE, qualified_trust_service_provider: UNSURE },
  ...{ nis2_reporting_from: [null, '2026-01-15', '2024-02-29'] },
  ...{ query_token_allowed: UNSURE, user_webhooks_allowed: UNSURE },
};

export const BRANDING: Values = {
  palette: ['default', 'ocean', null],
  custom_colors: [
    ...[null, { primary: '#102030' }, { primary: '#1F6FEB', primary_hover: '#1A5FCC', primary_dark: '#0D3A80' }],
  ],
};

export const CONTROL: Values = {
  ...{ note: TEXTS, inclusion_reason: LINES, due_date: DAYS, review_interval_months: [null, 1, 120] },
};

export const INCIDENT: Values = {
  ...{ title: ['Cafe\u0301', '\u{1f600}'.repeat(200)], description: TEXTS, severity: ['LOW', 'MEDIUM', 'CRITICAL'] },
  ...{ significant: [true, false], occurred_at: INSTANTS, handled_at: INSTANTS, classified_at: INSTANTS },
  ...{ fix_available_at: INSTANTS, intermediate_report_due_at: [...INSTANTS, '2028-02-29T12:00:00.0001Z'] },
  ...{ suspected_malicious: UNSURE, cross_border: UNSURE, affects_trust_service: UNSURE },
  ...{ affects_qualified_trust_service: UNSURE, personal_data_concerned: UNSURE, exploited_vulnerability: UNSURE },
  ...{ product_concerned: UNSURE, category: ['', null, 'IS-1', 'IS-4'] },
  ...{ indicators: TEXTS, impact: TEXTS, root_cause: TEXTS, mitigation: TEXTS },
};

const DEVICE: Values = {
  ...{ email: ['a@example.com', 'B@EXAMPLE.com'], endpoint: ['192.0.2.7', '2001:DB8::1'] },
  services: [[], null, ['waf'], ['waf', 'Cafe\u0301']],
};

export const DEVICES: Readonly<Record<'cloud-defender' | 'atb', Values>> = {
  'cloud-defender': { ...DEVICE, fqdn: ['other.example.com', 'WWW.example.com'] },
  atb: {
    ...{ ...DEVICE, type: ['probe', 'Cafe\u0301'], privateIP: ['', null, '::ffff:10.0.0.1'], device_id: LINES },
    plugin: [null, { name: 'dns', config: { a: 1 } }, { name: 'Cafe\u0301', config: {} }],
  },
};

export const DOCUMENT: Values = { note: TEXTS, valid_until: DAYS, effective_at: INSTANTS };
export const FILES = ['Cafe\u0301.txt', 'a\u2028.txt', '\u{1f600}.txt', 'a/b.txt'];
export const SOURCES = ['attached', 'generated', 'imported', null];

export const ALERTS: Values = { atb: [true, false], cloud_defender: [true, false], v_ciso: [true, false] };
const WISHES = ['NEVER', 'DAILY', 'IMMEDIATELY', 'URGENT_ONLY'];
export const MAILS: Values = { incident: WISHES, document: WISHES, device: WISHES, system: WISHES };
export const ACCOUNT: Values = {
  ...{ role: ['SECURITY_ANALYST', 'VIEWER'], name: ['Cafe\u0301', 'Other'], description: LINES },
};
