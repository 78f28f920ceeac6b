import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { addUser } from './dataset.js';

/** Rows of each kind. The measured organization, and its reader, have a hundredth of them. */
export interface Scale {
  name: string;
  organizations: number;
  memberships: number;
  notifications: number;
  incidents: number;
  documents: number;
  entries: number;
  reports: number;
}

export const LARGE: Scale = {
  name: 'large',
  organizations: 5_000,
  memberships: 200_000,
  notifications: 1_000_000,
  incidents: 100_000,
  documents: 100_000,
  entries: 300_000,
  reports: 3_000_000,
};

export const SMALL: Scale = {
  name: 'small',
  ...{ organizations: 50, memberships: 2_000, notifications: 10_000, incidents: 1_000 },
  ...{ documents: 1_000, entries: 3_000, reports: 30_000 },
};

/** The measured organization; `MANAGED` are further ones of its reader. */
export const MEASURED = 1;
const MANAGED = 20;
/** Devices of the measured organization, each with the same number of reports. */
const DEVICES = 20;

/** One row in a hundred belongs to the first organization; the others are spread over the rest. */
const organizationOf = (n: string, { organizations }: Scale) =>
  `case when ${n} % 100 = 0 then ${MEASURED} else 2 + ${n} % ${organizations - 1} end`;
const someTime = `now() - make_interval(secs => n * 7)`;

/** Statements that fill a migrated database in minutes, with foreign keys and triggers disabled. */
function fillers(scale: Scale, readerId: string): string[] {
  const { organizations, memberships, notifications, incidents, documents, entries, reports } = scale;
  const organization = organizationOf('n', scale);
  const devices = DEVICES * Math.min(100, organizations);
  const words = `(array['Phishing of','Ransomware in','Lost laptop of','Leak from'])[1 + n % 4] || ' department ' || n % 1000
    || case when n % ${Math.floor(notifications / 200)} = 0 then ' quetzal' else '' end`;
  return [
    `insert into app_user (id, username, email, email_verified_at, first_name, last_name)
     select md5(n::text)::uuid, 'user' || n, 'user' || n || '@example.com', now(), 'Ada', 'Rossi ' || n from generate_series(1, ${memberships / 4}) n`,
    `insert into organization (name, logo, sectors, industries, compliance_frameworks, contacts, domains, ips, created_at, report_weekday)
     select 'Organization ' || n, '', '{}', '{}', '[]', '[{"name": "Ada", "role": "", "phone": "", "email": "ada@example.com", "emailReport": true}]',
            '{}', '{}', '2026-01-01', extract(isodow from now() - interval '1 day') from generate_series(1, ${organizations}) n`,
    `insert into organization_workflow (organization_id, workflow_id)
     select n, workflow from generate_series(1, ${organizations}) n, unnest('{iso-27001-2022,nis2-directive}'::text[]) workflow`,
    `insert into control_state (organization_id, workflow_id, control_id, status, due_date, updated_at)
     select n, 'iso-27001-2022', 'A.5.' || k, (array['TO_DO','IN_PROGRESS','DONE'])[1 + k % 3], now() - make_interval(days => k), now()
       from generate_series(1, ${organizations}) n, generate_series(1, 20) k`,
    `insert into membership (user_id, organization_id, role, person_name)
     select distinct on (1, 2) md5((1 + n % ${memberships / 4})::text)::uuid, ${organizationOf('(n * 7919 / 97)', scale)}, 'VIEWER',
            'user' || 1 + n % ${memberships / 4}
       from generate_series(1, ${memberships}) n`,
    `insert into membership (user_id, organization_id, role, person_name)
     select '${readerId}', n, 'ORGANIZATION_MANAGER', 'reader' from generate_series(1, ${MANAGED}) n`,
    `insert into notification (user_id, organization_id, title, message, type, action, read, created_at)
     select case when n % 100 = 0 then '${readerId}' else md5((1 + n % ${memberships / 4})::text)::uuid end,
            case when n % 100 = 0 then 1 + n / 100 % ${MANAGED} else ${organization} end,
            'An incident was opened', ${words}, (array['INCIDENT','DOCUMENT','DEVICE','MEMBER'])[1 + n / 100 % 4], 'NONE', n / 100 % 10 > 0, ${someTime}
       from generate_series(${notifications}, 1, -1) n`,
    `insert into incident (organization_id, title, severity, status, significant, aware_at, opened_by, created_at, updated_at)
     select ${organization}, ${words}, (array['LOW','MEDIUM','HIGH','CRITICAL'])[1 + n / 100 % 4],
            (array['OPEN','CONTAINED','RESOLVED','CLOSED','CLOSED'])[1 + n / 100 % 5], n / 100 % 10 = 0, ${someTime}, 'user1', ${someTime}, ${someTime}
       from generate_series(1, ${incidents}) n`,
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at)
     select ${organization}, 'iso-27001-2022', 'A.5.' || 1 + n / 100 % 37, 'evidence ' || n || '.pdf', 1, 'application/pdf', 'attached',
            md5(n::text) || md5(n::text), 'user' || n / 100 % 10, ${someTime} from generate_series(1, ${documents}) n`,
    // Chained, so that they can be sealed: each entry follows its predecessor in the trail.
    `create temporary table next_entry as
     select ${organization} as trail, row_number() over (partition by ${organization} order by n) as place,
            jsonb_build_object('at', to_char(now() - make_interval(secs => ${entries} - n), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'action', (array['INCIDENT_OPENED','INCIDENT_CLOSED'])[1 + n / 100 % 2], 'actor', '{"type": "SYSTEM", "id": "job"}'::jsonb,
            'changes', '{}'::jsonb, 'subject', jsonb_build_object('type', 'INCIDENT', 'id', n::text, 'name', ''))::text as text
       from generate_series(1, ${entries}) n`,
    'create index on next_entry (place)',
    `insert into audit_log (organization_id, position, hash)
     select n, 0, sha256(convert_to('organization/' || n, 'UTF8')) from generate_series(1, ${organizations}) n`,
    `do $$ begin for at in 1..(select max(place) from next_entry) loop
       with head as (
         update audit_log l set position = at, hash = sha256(l.hash || convert_to(next.text, 'UTF8'))
           from next_entry next where next.trail = l.id and next.place = at returning l.id, l.hash, next.text)
       insert into audit_entry (log_id, position, entry, hash) select id, at, text, hash from head;
     end loop; end $$`,
    `insert into event_consumer (consumer, log_id, position)
     select consumer, id, position from audit_log, unnest('{events,notifications,mails}'::text[]) consumer`,
    `insert into cloud_defender (organization_id, email, fqdn, endpoint, services, status, last_seen_at)
     select case when n <= ${DEVICES} then ${MEASURED} else ${organization} end, 'ops@example.com', 'd' || n || '.example.com', '', '{}', 1 + n % 3, now()
       from generate_series(1, ${devices}) n`,
    `insert into cloud_defender_check (organization_id, device_id, datetime, fqdn, proxy, endpoint)
     select d.organization_id, d.id, now() - make_interval(mins => n * 10), 1, 1, 1
       from generate_series(1, ${reports / devices}) n, cloud_defender d`,
  ];
}

/** Fills a migrated, empty database and returns the reader's token. */
export async function fillScale(url: string, scale: Scale): Promise<string> {
  const client = new pg.Client({ connectionString: url, types: wireTypes });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const { id, token } = await addUser(client, 'reader');
    for (const statement of fillers(scale, id)) await client.query(statement);
    await client.query('vacuum analyze');
    return token;
  } finally {
    await client.end();
  }
}
