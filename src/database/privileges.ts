import { escapeIdentifier, type Client } from 'pg';
import { StartupError } from '../errors.js';
import { JOBS_SCHEMA } from '../jobs/queues.js';

/**
 * Gives the gateway's role what it needs of all tables that are there, but for what would change audit trails or the list of
 * migrations. The client is the owner's. Throws StartupError for a role that may do what the owner may.
 */
export async function grantPrivileges(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select pg_has_role($1, relowner, 'member') as owns from pg_class where oid = 'audit_entry'::regclass`,
    [role],
  );
  if (rows[0]?.owns === true)
    throw new StartupError(
      `The role ${role} of DATABASE_URL could change audit trails: it must be neither a superuser, nor the owner of the ` +
        'tables, nor a member of the role that owns them.',
    );
  for (const statement of privilegesOf(escapeIdentifier(role))) await client.query(statement);
}

const privilegesOf = (role: string) => [
  ...['public', JOBS_SCHEMA].flatMap((schema) => [
    `grant usage on schema ${schema} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    `grant usage on all sequences in schema ${schema} to ${role}`,
  ]),
  `revoke insert, update, delete on schema_migration from ${role}`,
  `revoke update, delete on audit_entry, audit_checkpoint, audit_log from ${role}`,
  `grant update (position, hash, latest_at, lateness) on audit_log to ${role}`,
  `grant execute on function prune_audit_entries(bigint, bigint) to ${role}`,
  `grant execute on function keep_report_months(timestamptz, timestamptz) to ${role}`,
];
