import type { Database } from '../../src/database/database.js';
import { buildPerson, join } from './test-data.js';

/** Texts that would run if a page took them for anything else; a violation of the policy is a fault as well. */
export const HOSTILE = [
  `"><img src=x onerror="globalThis.ran='html'">`,
  `<script>globalThis.ran='script'</script>`,
  `</script><script>globalThis.ran='break'</script>{{constructor.constructor('globalThis.ran=1')()}}`,
  `javascript:globalThis.ran='link'`,
  '\u202Eabc\u202D',
  `' onmouseover='globalThis.ran=1' {name} {count, plural, other {#}}`,
];

/** Ten thousand rows of what grows, each text of a person a hostile one. */
export async function fillOrganization(
  database: Database,
  full: { id: number; incident: number; webhook: number },
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
}
