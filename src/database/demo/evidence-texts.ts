import { pdfPage, textFile } from './file-makers.js';
import type { DemoFile } from './stored-files.js';

const POLICY_VERSIONS = {
  '1.0': ['First issue.'],
  '1.1': ['Adds the review after every significant incident.'],
  '2.0': ['Takes the obligations of the NIS 2 directive in.', 'Multi-factor authentication is asked for everywhere.'],
} as const;

export function policy(version: keyof typeof POLICY_VERSIONS): DemoFile {
  const lines = [
    'Information security policy',
    '',
    `Valdoria Energia S.p.A. - version ${version}`,
    '',
    '1. Supply of electricity comes first: no measure may endanger the control room.',
    '2. Every system has an owner who answers for its risks.',
    '3. Access is given by role, for as long as it is needed, and is reviewed twice a year.',
    '4. Whoever notices something odd reports it at once and is thanked for it.',
    '5. Suppliers are bound to the same rules by contract.',
    '6. The board approves this policy and reviews it every year.',
    '',
    'What has changed',
    ...POLICY_VERSIONS[version],
  ];
  return { name: `information-security-policy-${version}.pdf`, content: pdfPage(lines) };
}

export function trainingPlan(): DemoFile {
  const lines = [
    'Awareness training, yearly plan',
    '',
    'January    Passwords and second factors       all staff',
    'March      Phishing exercise                  all staff',
    'May        Reporting what looks odd           control room, substations',
    'September  Duties of the management bodies    board',
    'November   Handling of removable media        maintenance crews',
  ];
  return { name: 'awareness-training-plan.pdf', content: pdfPage(lines) };
}

export function incidentPlan(): DemoFile {
  const content = textFile(
    '# Incident response plan',
    '',
    '## Who decides',
    '',
    'The security officer leads. In her absence the engineer on call does, until she is reached.',
    '',
    '## First hour',
    '',
    '1. Note the time: the clock of the early warning starts when we become aware.',
    '2. Separate what is affected; do not switch it off.',
    '3. Tell the control room by telephone, never by e-mail.',
    '',
    '## Reporting',
    '',
    '| Stage | Due | To |',
    '|---|---|---|',
    '| Early warning | 24 hours | CSIRT |',
    '| Notification | 72 hours | CSIRT |',
    '| Final report | one month after the notification | CSIRT, board |',
  );
  return { name: 'incident-response-plan.md', content };
}

export function restoreTest(): DemoFile {
  const content = textFile(
    'Restore test of the metering database',
    '',
    'Backup taken     02:00 UTC, full, 41.8 GB, encrypted',
    'Restored to      isolated host rst-01 (10.20.9.14)',
    'Duration         1 h 12 min (goal: 4 h)',
    'Rows compared    18,402,117 of 18,402,117 equal',
    'Result           passed',
  );
  return { name: 'restore-test-metering.txt', content };
}

export function shopFloorRules(): DemoFile {
  const content = textFile(
    '# Regole di sicurezza in officina',
    '',
    '- Le chiavette USB si consegnano in ufficio prima di usarle.',
    '- Le macchine non si collegano alla rete degli ospiti.',
    '- Ogni anomalia si segnala subito al responsabile.',
  );
  return { name: 'regole-officina.md', content };
}
