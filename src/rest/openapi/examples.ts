/** The organization of all examples, as others embed it (specification 2.5). */
export const exampleOrganization = {
  id: 1,
  name: 'Rossi Energia S.p.A.',
  logo: 'https://www.rossi-energia.example/logo.png',
};

/** The user of most examples. */
export const exampleUser = {
  id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37',
  username: 'elena.santoro',
  email: 'elena.santoro@example.com',
  first_name: 'Elena',
  last_name: 'Santoro',
};

/** What is sent to create an organization. */
export const SENT_ORGANIZATION = {
  name: 'Rossi Energia S.p.A.',
  description: 'Distribution of electricity and gas.',
  number_employees: 240,
  website: 'https://www.rossi-energia.example',
  logo: exampleOrganization.logo,
  sectors: ['Energy', 'Utilities'],
  industries: ['Oil/Energy/Solar/Greentech'],
  nis2_sector: 'Energia - Energia elettrica',
  compliance_frameworks: [
    { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021'] } },
    { value: 'NIS2', fields: { entity_type: 'essential' } },
  ],
  infrastructure: 'hybrid',
  contacts: [{ name: 'Anna Rossi', role: 'CISO', email: 'anna@rossi-energia.example', phone: '', email_report: true }],
  domains: ['rossi-energia.example'],
  ips: ['192.0.2.10'],
};

export const ORGANIZATION_EXAMPLE = {
  id: 1,
  ...SENT_ORGANIZATION,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
};

const webStat = { waf_protection: 41, total_managed_requests: 15_230 };
const datetime = '2026-11-20T09:00:00.000Z';

export const chartStat = [
  { bucket_start: 1_795_161_600, bucket_end: 1_795_165_200, total_requests: 5_120, malicious_requests: 12 },
];

export const cloudDefender = {
  id: 1,
  organization: exampleOrganization,
  email: 'soc@rossi-energia.example',
  fqdn: 'www.rossi-energia.example',
  check: {
    stat: { fqdn: 1, proxy: 1, endpoint: 1, datetime },
    status: 1,
    web_stat: [{ datetime, ...webStat }],
  },
  endpoint: '192.0.2.10',
  services: ['waf', 'cdn'],
};

export const threatBlocker = {
  id: 1,
  organization: exampleOrganization,
  atb_key: '6f1c2a3e-8d4b-4c5d-9e6f-7a8b9c0d1e2f',
  type: 'gateway',
  email: 'soc@rossi-energia.example',
  check: {
    stat: { vpn: 1, dnsbl: 1, iplist: 1, datetime },
    status: 1,
    web_stat: [{ datetime, ...webStat }],
    chart_stat: chartStat,
  },
  plugin: { name: 'firewall', config: { blockLists: ['spam', 'botnet'] } },
  endpoint: '192.0.2.11',
  privateIP: '10.0.0.11',
  services: ['vpn', 'dnsbl'],
  device_id: 'atb-0007',
};

/** What both kinds of devices report, without the state of their parts. */
export const report = { datetime, web_stat: webStat };

/** A bucket of a series, as far as both kinds have it. */
export const point = { begin: datetime, reports: 3, status: 1, ...webStat };
