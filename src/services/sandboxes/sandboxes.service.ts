import type { Caller } from '../../auth/caller.js';
import { toCamelCase } from '../../common/naming.js';
import type { Selection } from '../../common/selection.js';
import type { Queryable } from '../../database/database.js';
import { lockOrganizationExclusive } from '../../database/change-locks.js';
import { db, sql, statement, table, type Expression } from '../../database/sql.js';
import { conflict } from '../../errors.js';
import { organizationChanges, recordOrganization } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { removeLogo } from '../organizations/logo.js';
import {
  lockOrganization,
  writeOrganization,
  type OrganizationKey,
} from '../organizations/organization-update.service.js';
import type { OrganizationReader } from '../shared/organization-reader.js';
import { ORGANIZATION_TABLES, type OrganizationTable } from '../shared/organization-columns.js';
import { exampleProfile, fillWithExample, type ExampleUseCases } from './example.js';

/**
 * How rows of a reset sandbox are treated, in this order: referencing rows come first. Tables that are not listed are
 * emptied before all of these.
 */
const TABLES: Readonly<Partial<Record<OrganizationTable, 'emptied' | 'counted' | 'kept'>>> = {
  incident_attachment: 'emptied',
  document_version: 'emptied',
  incident_report: 'emptied',
  incident_reminder: 'emptied',
  // Deleted with its incidents: statements may not delete it otherwise.
  incident_note: 'counted',
  incident: 'emptied',
  cloud_defender_check: 'emptied',
  threat_blocker_check: 'emptied',
  threat_blocker_traffic: 'emptied',
  cloud_defender: 'emptied',
  threat_blocker: 'emptied',
  control_attestation: 'emptied',
  control_state: 'emptied',
  workflow_progress: 'emptied',
  organization_workflow: 'emptied',
  workflow_import: 'emptied',
  evidence_request: 'emptied',
  sign_off: 'emptied',
  engagement: 'emptied',
  import_row: 'emptied',
  import_job: 'emptied',
  invitation: 'emptied',
  webhook_delivery: 'emptied',
  webhook_endpoint: 'emptied',
  scim_group: 'emptied',
  scim_user: 'emptied',
  scim_token: 'emptied',
  scim_settings: 'emptied',
  identity_domain: 'emptied',
  identity_provider: 'emptied',
  service_account: 'emptied',
  token_block: 'emptied',
  notification: 'emptied',
  mail_digest: 'emptied',
  weekly_report: 'emptied',
  weekly_report_run: 'emptied',
  // Except for the owners.
  membership: 'emptied',
  // Only the newest facts, which triggers maintain.
  organization_facts: 'kept',
  organization_storage: 'kept',
  // History stays on record.
  recorded_state: 'kept',
  audit_log: 'kept',
  event: 'kept',
};

const FILES: ReadonlySet<OrganizationTable> = new Set<OrganizationTable>(['incident_attachment', 'document_version']);

const [m, f, newer] = [table('membership'), table('organization_facts'), table('organization_facts', 'newer')];

/** Deletes the rows and returns their number, with the hash of each file, or the user of each member. */
function emptying(name: OrganizationTable) {
  const columns: Readonly<Record<string, Expression>> = table(name);
  const left = name === 'membership' ? sql`user_id::text` : FILES.has(name) ? sql`sha256` : sql`null::text`;
  const condition = name === 'membership' ? sql` and ${m.role} <> 'ORGANIZATION_OWNER'` : sql``;
  return statement<{ id: number }>()(
    (p) => sql<{ count: number; left: string[] }>`
      with gone as (
        delete from ${columns['table']} where ${columns['organization_id']} = ${p('id')}${condition} returning ${left} as rest)
      select count(*) as count, array(select rest from gone where rest is not null) as left from gone`,
  );
}

/** Returns the number of rows of a table that is emptied with another one. */
function counting(name: OrganizationTable): ReturnType<typeof emptying> {
  const columns: Readonly<Record<string, Expression>> = table(name);
  return statement<{ id: number }>()(
    (p) => sql<{ count: number; left: string[] }>`
      select count(*) as count, '{}'::text[] as left from ${columns['table']} where ${columns['organization_id']} = ${p('id')}`,
  );
}

const EMPTYING = [...ORGANIZATION_TABLES.filter((name) => !(name in TABLES)), ...Object.keys(TABLES)]
  .map((name) => name as OrganizationTable)
  .filter((name) => TABLES[name] !== 'kept')
  .map((name) => ({ name, statement: TABLES[name] === 'counted' ? counting(name) : emptying(name) }));

/** Ends the requirement of an identity provider that is about to be deleted. */
const requireNoProvider = statement<{ id: number }>()((p) =>
  db.updateTable('organization').set({ required_provider_id: null }).where('id', '=', p('id')),
);

/** Deletes dated facts: the time before the reset is judged by the sandbox's facts after it. */
const forgetFacts = statement<{ id: number }>()(
  (p) => sql`
    delete from ${f.table} where ${f.organization_id} = ${p('id')}
       and ${f.since} < (select max(${newer.since}) from ${newer.table} where ${newer.organization_id} = ${p('id')})`,
);

/** Sandboxes: organizations for trying things out (docs/sandboxes.md). */
export class SandboxService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'access' | 'catalogs' | 'content' | 'now'>,
    private readonly organizations: OrganizationReader,
    private readonly useCases: ExampleUseCases,
  ) {}

  /**
   * Empties a sandbox except for its name, its owners and its audit trail, and fills it with example data, atomically.
   * Returns it. Throws NOT_FOUND, FORBIDDEN below ORGANIZATION_OWNER, CONFLICT for an organization that is no sandbox, and
   * PRECONDITION_FAILED for another version.
   */
  async reset(caller: Caller, key: OrganizationKey, selection: Selection): Promise<object> {
    const { id } = key;
    const { access, catalogs, content, database } = this.deps;
    await access.authorize(caller, 'DELETE_ORGANIZATION', id);
    const reset = async () => {
      const emptied = await database.transaction((tx) => this.empty(tx, caller, key));
      await fillWithExample(this.useCases, caller, id, emptied.at);
      return { ...emptied, record: await this.organizations.byId(database, id, selection) };
    };
    // It locks the organization exclusively, while other changes share the lock.
    const userId = caller.kind === 'user' ? caller.userId : undefined;
    const { members, files, logo, record } = await database.request.withUserLock(userId, () =>
      database.request.together(reset),
    );
    // Invalidates this instance's cache without waiting for the database's notification.
    for (const userId of members) access.cache.announced(`m:${userId}:${id}`);
    access.cache.announced(`o:${id}`);
    catalogs.announced(`c:${id}`);
    for (const sha256 of files) await content.deleteIfUnreferenced(sha256);
    await removeLogo(content, logo);
    return record;
  }

  private async empty(tx: Queryable, caller: Caller, key: OrganizationKey) {
    const { id } = key;
    await lockOrganizationExclusive(tx, id);
    const locked = await lockOrganization(tx, this.deps.access, caller, 'DELETE_ORGANIZATION', key);
    // After the lock, so that facts of earlier changes are older, and are deleted.
    const at = this.deps.now();
    if (!locked.sandbox) throw conflict('NOT_A_SANDBOX');
    await requireNoProvider.all(tx, { id });
    const removed: Record<string, number> = {};
    const found = new Map<OrganizationTable, string[]>();
    for (const { name, statement: each } of EMPTYING) {
      const { count, left } = await each.one(tx, { id });
      if (count > 0) removed[toCamelCase(name)] = count;
      found.set(name, left);
    }
    const profile = exampleProfile();
    await writeOrganization(tx, id, { ...profile, reportDueAt: null }, at);
    await forgetFacts.all(tx, { id });
    const changes = organizationChanges(locked, profile);
    await recordOrganization(tx, caller, locked, {
      ...{ action: 'SANDBOX_RESET', at },
      changes: { ...changes, removed: { before: removed } },
    });
    const files = [...FILES].flatMap((name) => found.get(name) ?? []);
    return { at, members: found.get('membership') ?? [], files, logo: locked.logo };
  }
}
