import type { Queryable } from '../../src/database/sql.js';

/**
 * Creates organizations of one member, `ORGANIZATION_MANAGER` in each, with workflows, begun and overdue controls, open
 * and closed incidents, and devices; returns their ids.
 */
export async function fillPortfolio(database: Queryable, userId: string, count: number): Promise<number[]> {
  const organizations = await database.rows<{ id: number }>(
    `insert into organization (name, sectors, industries, compliance_frameworks, contacts, domains, ips)
     select 'Customer ' || lpad(n::text, 4, '0'), '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, $1::int) n
     returning id`,
    [count],
  );
  const ids = organizations.map(({ id }) => id);
  const of = 'unnest($1::bigint[]) as organization';
  await database.rows(
    `insert into membership (user_id, organization_id, role) select $2, organization, 'ORGANIZATION_MANAGER' from ${of}`,
    [ids, userId],
  );
  await database.rows(
    `insert into organization_workflow (organization_id, workflow_id)
     select organization, workflow from ${of}, unnest('{iso-27001-2022,nis2-directive}'::text[]) workflow`,
    [ids],
  );
  await database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date)
     select organization, 'iso-27001-2022', 'A.' || 5 + n % 4 || '.' || 1 + n / 4, (array['DONE', 'IN_PROGRESS', 'TO_DO'])[1 + n % 3],
            $2, current_date - 20 + n from ${of}, generate_series(0, 39) n`,
    [ids, userId],
  );
  await database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256,
       created_by, valid_until)
     select organization, 'iso-27001-2022', 'A.' || 5 + n % 4 || '.' || 1 + n / 4, 'd.txt', 1, 'text/plain', 'attached',
            encode(sha256((organization || '/' || n)::bytea), 'hex'), 'me', case when n % 5 = 0 then current_date + n end
       from ${of}, generate_series(0, 39) n`,
    [ids],
  );
  await database.rows(
    `insert into incident (organization_id, title, severity, aware_at, significant, status)
     select organization, 'Incident ' || n, 'HIGH', now() - make_interval(hours => 10 * n), true,
            (array['OPEN', 'CONTAINED', 'CLOSED', 'CLOSED', 'CLOSED'])[1 + n % 5] from ${of}, generate_series(0, 9) n`,
    [ids],
  );
  await database.rows(
    `insert into cloud_defender (organization_id, email, fqdn, endpoint, services, status)
     select organization, 'edge@example.com', 'www.example.com', '192.0.2.10', '{waf}', n from ${of}, generate_series(0, 3) n`,
    [ids],
  );
  return ids;
}
