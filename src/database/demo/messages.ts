import type { NotificationType } from '../../vocabulary/notification-types.js';
import type { DemoPerson } from './demo-facts.js';

/** Ids of what messages speak about. */
export interface Places {
  organizationId: number;
  otherOrganizationId: number;
  incidentId: number;
  overdueIncidentId: number;
  portalId: number;
  websiteId: number;
  statusPageId: number;
  pluginId: number;
}

export interface Message {
  to: DemoPerson;
  hoursAgo: number;
  type: NotificationType;
  title: string;
  message: string;
  read: boolean;
  /** A relative link; absent where there is nothing to open. */
  link?: (places: Places) => string;
}

type Row = readonly [
  hoursAgo: number,
  state: 'read' | 'unread',
  type: NotificationType,
  title: string,
  message: string,
  link?: (places: Places) => string,
];

const incident = ({ organizationId, incidentId }: Places) => `/organizations/${organizationId}/incidents/${incidentId}`;
const overdueIncident = ({ organizationId, overdueIncidentId }: Places) =>
  `/organizations/${organizationId}/incidents/${overdueIncidentId}`;
const incidents = ({ organizationId }: Places) => `/organizations/${organizationId}/incidents`;
const portal = ({ portalId }: Places) => `/cloud-defender/${portalId}`;
const website = ({ websiteId }: Places) => `/cloud-defender/${websiteId}`;
const statusPage = ({ statusPageId }: Places) => `/cloud-defender/${statusPageId}`;
const plugin = ({ pluginId }: Places) => `/atb/${pluginId}`;
const members = ({ organizationId }: Places) => `/organizations/${organizationId}/users`;
const workflow = (id: string) => (places: Places) => `/organizations/${places.organizationId}/workflows/${id}`;
const control = (id: string, controlId: string) => (places: Places) => `${workflow(id)(places)}/controls/${controlId}`;
const iso = (controlId: string) => control('iso-27001-2022', controlId);
const nis2 = (controlId: string) => control('nis2-directive', controlId);

const OWNERS_ROWS: readonly Row[] = [
  [
    6,
    'unread',
    'INCIDENT',
    'Early warning due now',
    'The early warning on “Supplier reports stolen credentials” was due and is not recorded as sent.',
    overdueIncident,
  ],
  [
    2,
    'unread',
    'DEVICE',
    'Edge protection degraded',
    'www.valdoria.example.com: the endpoint answers slowly.',
    website,
  ],
  [4, 'unread', 'DEVICE', 'Threat blocker degraded', 'VE-ATB-0002: the DNS block list is out of date.', plugin],
  [9, 'unread', 'TOKEN', 'A token was created', 'Marco De Luca has created a token.'],
  [20, 'unread', 'INCIDENT', 'File attached', 'Tommaso Greco has attached incident-timeline.csv.', incident],
  [22, 'unread', 'INCIDENT', 'Early warning sent', 'Elena Santoro has recorded the early warning as sent.', incident],
  [26, 'read', 'WORKFLOW', 'Control in progress', 'Work on A.5.26 has begun.', iso('A.5.26')],
  [30, 'unread', 'WORKFLOW', 'Due in two days', '23.4.b has to be done in two days.', nis2('23.4.b')],
  [34, 'read', 'INCIDENT', 'Incident contained', 'Both workstations are separated from the network.', incident],
  [35.5, 'read', 'INCIDENT', 'New incident', 'Encrypted files on two engineering workstations.', incident],
  [
    46.5,
    'read',
    'DEVICE',
    'Edge protection down',
    'status.valdoria.example.com: no report for 90 minutes.',
    statusPage,
  ],
  [48, 'unread', 'DOCUMENT', 'New version', 'asset-inventory.csv was imported for A.5.9.', iso('A.5.9')],
  [55, 'read', 'SYSTEM', 'Maintenance announced', 'Sunday from 02:00 to 02:30 UTC; protection goes on.'],
  [
    61,
    'unread',
    'DEVICE',
    'Attack stopped',
    'portal.valdoria.example.com: far more requests than usual were stopped.',
    portal,
  ],
  [72, 'read', 'WORKFLOW', 'Control overdue', 'A.7.13 should have been done by now and has no owner.', iso('A.7.13')],
  [80, 'read', 'MEMBER', 'Role changed', 'Tommaso Greco is now security analyst.', members],
  [96, 'read', 'WORKFLOW', 'Progress', 'The statement of applicability is being worked on.', iso('6.1.3')],
  [96, 'unread', 'TOKEN', 'A token of yours expires soon', 'Your token "Billing interface" expires in seven days.'],
  [120, 'read', 'DOCUMENT', 'New version', 'information-security-policy-2.0.pdf was uploaded for A.5.1.', iso('A.5.1')],
  [122, 'read', 'WORKFLOW', 'Review the policy', 'A new policy waits for the approval of the board.', iso('5.2')],
  [139, 'unread', 'SYSTEM', 'Weekly report', 'The weekly report was sent to one contact.'],
  [144, 'read', 'SYSTEM', 'Branding changed', 'Marco De Luca has changed the colours.'],
  [163, 'unread', 'WORKFLOW', 'Business continuity', 'Work on 21.2.c has begun.', nis2('21.2.c')],
  [
    171,
    'read',
    'DEVICE',
    'Edge protection back',
    'portal.valdoria.example.com: it reports again and is healthy.',
    portal,
  ],
  [186, 'read', 'MEMBER', 'New member', 'Chiara Villa has joined as viewer.', members],
  [198, 'read', 'INCIDENT', 'Lessons learned', 'The review of the portal outage is complete.', incidents],
  [209, 'unread', 'DOCUMENT', 'New version', 'awareness-training-plan.pdf was uploaded for A.6.3.', iso('A.6.3')],
  [
    216,
    'read',
    'WORKFLOW',
    'Review planned',
    'The yearly review of the NIS 2 measures begins next month.',
    workflow('nis2-directive'),
  ],
  [228, 'read', 'MEMBER', 'Alerts switched off', 'Marco De Luca no longer gets alerts of workflows.', members],
  [236, 'read', 'TOKEN', 'A token was revoked', 'A token that nobody had used for 60 days was revoked.'],
];

export const OWNERS_MESSAGES: readonly Message[] = OWNERS_ROWS.map((row) => messageTo('owner', row));

export const MEMBERS_MESSAGES: readonly Message[] = [
  messageTo('manager', [
    2,
    'unread',
    'DEVICE',
    'Edge protection degraded',
    'www.valdoria.example.com: the endpoint answers slowly.',
    website,
  ]),
  messageTo('manager', [
    72,
    'unread',
    'WORKFLOW',
    'Control overdue',
    'A.7.13 should have been done by now.',
    iso('A.7.13'),
  ]),
  messageTo('officer', [
    6,
    'unread',
    'INCIDENT',
    'Early warning due now',
    'The early warning on “Supplier reports stolen credentials” was due and is not recorded as sent.',
    overdueIncident,
  ]),
  messageTo('officer', [
    20,
    'read',
    'INCIDENT',
    'File attached',
    'Tommaso Greco has attached incident-timeline.csv.',
    incident,
  ]),
  messageTo('officer', [
    120,
    'read',
    'DOCUMENT',
    'New version',
    'information-security-policy-2.0.pdf was uploaded.',
    iso('A.5.1'),
  ]),
  messageTo('analyst', [
    4,
    'unread',
    'DEVICE',
    'Threat blocker degraded',
    'VE-ATB-0002: the DNS block list is out of date.',
    plugin,
  ]),
  messageTo('analyst', [
    35.5,
    'read',
    'INCIDENT',
    'New incident',
    'Encrypted files on two engineering workstations.',
    incident,
  ]),
  messageTo('analyst', [
    72,
    'unread',
    'TOKEN',
    'A token of yours was blocked',
    'An owner has blocked your token "Vulnerability scanner" in this organization.',
  ]),
  messageTo('viewer', [186, 'read', 'MEMBER', 'Welcome', 'You are now a viewer of Valdoria Energia S.p.A.']),
];

export const STRANGERS_MESSAGES: readonly Message[] = [
  messageTo('stranger', [
    24,
    'unread',
    'DEVICE',
    'Waiting for the first report',
    'torresina.example.com was set up and has not reported yet.',
    ({ otherOrganizationId }) => `/organizations/${otherOrganizationId}/devices`,
  ]),
];

function messageTo(to: DemoPerson, [hoursAgo, state, type, title, message, link]: Row): Message {
  return { to, hoursAgo, type, title, message, read: state === 'read', link };
}
