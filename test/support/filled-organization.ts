import type { Database } from '../../src/database/database.js';
import { lengthenTrail } from './long-trails.js';
import { buildServiceAccount } from './people.js';
import { buildPerson, join } from './test-data.js';

/** Texts that would run if a page did not escape them; a violation of the policy fails the test as well. */
export const HOSTILE = [
  `"><img src=x onerror="globalThis.ran='html'">`,
  `<script>globalThis.ran='script'</script>`,
  `</script><script>globalThis.ran='break'</script>{{constructor.constructor('globalThis.ran=1')()}}`,
  `javascript:globalThis.ran='link'`,
  '\u202Eabc\u202D',
  `' onmouseover='globalThis.ran=1' {name} {count, plural, other {#}}`,
];

/** Ten thousand rows of each growing list, with malicious text in each text field. */
export async function fillOrganization(
  database: Database,
  full: { id: number; owner: string; incident: number; webhook: number; engagement: number; control: string },
): Promise<void> {
  await database.rows(
    `insert into incident (organization_id, title, description, severity, aware_at, significant, next_reminder_at)
     select $1, ($2::text[])[1 + n % 6], ($2::text[])[1 + n % 6], 'HIGH', now(), n % 2 = 0, null from generate_series(1, 10000) n`,
    [full.id, HOSTILE],
  );
  await database.rows(`update incident set title = $2, description = $3, impact = $4 where id = $1`, [
    full.incident,
    ...HOSTILE.slice(1, 4),
  ]);
  for (const text of HOSTILE)
    await database.rows(
      `insert into incident_note (organization_id, incident_id, text, created_by) values ($1, $2, $3, $3)`,
      [full.id, full.incident, text],
    );
  await database.rows(
    `insert into webhook_delivery (endpoint_id, organization_id, seq, log_id, position, action, subject, status, attempts, next_attempt_at)
     select $1, $2, n, 0, n, 'INCIDENT_OPENED', 'INCIDENT/1', 'FAILED', 10, null from generate_series(1, 10000) n`,
    [full.webhook, full.id],
  );
  await database.rows(`update webhook_endpoint set url = $2 where id = $1`, [full.webhook, HOSTILE[3]]);
  const { id: owner } = await buildPerson(database, 'hostile');
  await join(database, { id: owner }, full.id, 'VIEWER');
  await database.rows('update app_user set first_name = $2, last_name = $3 where id = $1', [
    owner,
    ...HOSTILE.slice(0, 2),
  ]);
  for (const fill of [fillMembers, fillEngagement, fillOwner]) await fill(database, full);
  await lengthenTrail(database, full.id, { entries: 10_000, controls: 100, from: new Date('2026-01-01T00:00:00Z') });
}

type Full = Parameters<typeof fillOrganization>[1];

async function fillMembers(database: Database, { id }: Full): Promise<void> {
  await database.rows(
    `with made as (
       insert into app_user (id, username, email, first_name, last_name)
       select gen_random_uuid(), format('full-%s-%s', $1::bigint, n), format('full-%s-%s@example.com', $1::bigint, n), ($2::text[])[1 + n % 6], ''
         from generate_series(1, 10000) n returning id)
     insert into membership (user_id, organization_id, role) select id, $1::bigint, 'VIEWER' from made`,
    [id, HOSTILE],
  );
  for (const table of ['cloud_defender', 'threat_blocker'])
    await database.rows(`update ${table} set email = $2 where organization_id = $1`, [id, HOSTILE[0]]);
}

/** Documents, requests and sign-offs of its scope, which the page of its control shows as well. */
async function fillEngagement(database: Database, { id, engagement, control }: Full): Promise<void> {
  await database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, note)
     select $1, 'nis2-directive', $2, ($3::text[])[1 + n % 6], 1, 'text/plain', 'attached', lpad(to_hex(n), 64, '0'), 'ann', ($3::text[])[1 + n % 6]
       from generate_series(1, 10000) n`,
    [id, control, HOSTILE],
  );
  for (const table of ['evidence_request', 'sign_off'])
    await database.rows(
      `insert into ${table} (organization_id, engagement_id, workflow_id, control_id, ${table === 'sign_off' ? 'statement' : 'text'}, created_by)
       select $1, $2, 'nis2-directive', $3, ($4::text[])[1 + n % 6], ($4::text[])[1 + n % 6] from generate_series(1, 1000) n`,
      [id, engagement, control, HOSTILE],
    );
}

/** Organizations and tokens of the owner. */
async function fillOwner(database: Database, { id, owner }: Full): Promise<void> {
  await database.rows(
    `with made as (
       insert into organization (name, sectors, industries, nis2_sector, compliance_frameworks, contacts, domains, ips)
       select ($2::text[])[1 + n % 6], '{}', '{}', '', '[]', '[]', '{}', '{}' from generate_series(1, 10000) n returning id)
     insert into membership (user_id, organization_id, role) select $1::uuid, id, 'ORGANIZATION_OWNER' from made`,
    [owner, HOSTILE],
  );
  await database.rows(
    `insert into api_token (user_id, name, scopes, prefix, allowed_ips, digest, expires_at)
     select t.user_id, ($2::text[])[1 + n % 6], t.scopes, t.prefix, t.allowed_ips, encode(sha256(format('full%s%s', $1::uuid, n)::bytea), 'hex'), t.expires_at
       from (select * from api_token where user_id = $1::uuid limit 1) t cross join generate_series(1, 10000) n`,
    [owner, HOSTILE],
  );
  for (let n = 0; n < 60; n += 1) await buildServiceAccount(database, id, { id: owner });
  await database.rows(
    `update app_user u set first_name = ($2::text[])[1 + get_byte(decode(left(md5(u.id::text), 2), 'hex'), 0) % 6]
       from service_account s where s.user_id = u.id and s.organization_id = $1`,
    [id, HOSTILE],
  );
}
