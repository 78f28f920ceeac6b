import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import type { IncomingFile } from '../../common/incoming-file.js';
import type { Selection } from '../../common/selection.js';
import { assign, selectAll, type RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement, statementPerList } from '../../database/sql.js';
import type { CustomColors } from '../../entities/organizations.js';
import { notFound, preconditionFailed } from '../../errors.js';
import { recordOrganization } from '../audit/subjects.js';
import { changesBetween, withoutValues } from '../audit/record.js';
import { authorizeNow } from '../members/ownership.js';
import type { StoredContent } from '../files/stored-content.js';
import { logoContent, withLogo } from './logo.service.js';
import type { OrganizationReader } from '../shared/organization-columns.js';
import type { NewOrganization } from './organizations.service.js';

/** Which organization is changed. */
export interface OrganizationKey {
  id: number;
  /** The version that the caller read; any version when null or absent. */
  version?: number | null;
}

export interface OrganizationChange extends OrganizationKey {
  values: Partial<OrganizationValues>;
  /** Becomes `logo`. */
  logoFile?: IncomingFile | null;
}

export interface OrganizationChangeSettings {
  content: StoredContent;
  /** What the address of a stored logo begins with when it is read. */
  publicUrl: string;
  now: () => Date;
}

/** Changes an organization's own row, for every use case. */
export class OrganizationChangeService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly settings: OrganizationChangeSettings,
  ) {}

  /**
   * Writes the values and returns the organization. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED for another
   * version, and for a logo what `stageLogo` throws.
   */
  async apply(caller: Caller, privilege: Privilege, change: OrganizationChange, selection: Selection): Promise<object> {
    const { id, logoFile, values } = change;
    await this.access.authorize(caller, privilege, id);
    const write = async (tx: Queryable, written: OrganizationChange) => {
      await authorizeNow(tx, this.access, caller, privilege, id);
      return this.write(tx, caller, written, selection);
    };
    const { record, replaced } = logoFile
      ? await withLogo(this.settings.content, logoFile, async (tx, logo) => {
          const written = await write(tx, { ...change, values: { ...values, ...logo } });
          await this.settings.content.refuseExcess(tx, id);
          return written;
        })
      : await this.database.transaction((tx) => write(tx, change));
    if (replaced !== undefined) await this.deleteIfUnreferenced(replaced);
    return record;
  }

  /** Whether `apply` would accept a change that takes this privilege. */
  mayApply(caller: Caller, privilege: Privilege, id: number): Promise<boolean> {
    return this.access.allows(caller, privilege, id);
  }

  private async write(
    tx: Queryable,
    caller: Caller,
    { id, version, values }: OrganizationChange,
    selection: Selection,
  ) {
    const held = await holdOrganization(tx, id, version);
    const { logo, ...others } = values;
    const replaced = logo === undefined || this.isShown(held.logo, logo) ? undefined : held.logo;
    // A logo elsewhere has no bytes here.
    const written = replaced === undefined ? others : { logoBytes: 0, ...values };
    const isOtherCalendar = values.timeZone !== undefined || values.reportWeekday !== undefined;
    const now = this.settings.now();
    await writeOrganization(tx, id, { ...written, ...(isOtherCalendar && { reportDueAt: null }) }, now);
    const organization = await this.organizations.byId(tx, id, selection);
    const after = replaced === undefined ? others : values;
    const changes = withoutValues(changesBetween<object>(held, after), 'contacts');
    await recordOrganization(tx, caller, held, { action: 'ORGANIZATION_UPDATED', at: now, changes });
    return { record: organization, replaced };
  }

  /**
   * Whether this is the stored logo as it is read: a record that is sent back has not changed it. The address of
   * another organization's logo is treated as external.
   */
  private isShown(stored: string, logo: string): boolean {
    return logoContent(stored) !== undefined && logo === this.settings.publicUrl + stored;
  }

  /** The replaced logo may have had no other reference. */
  private async deleteIfUnreferenced(logo: string): Promise<void> {
    const content = logoContent(logo);
    if (content !== undefined) await this.settings.content.deleteIfUnreferenced(content);
  }
}

/** What can be written of an organization's row. */
export interface OrganizationValues extends NewOrganization {
  /** Null means the default (specification 4.9), as for the colours. */
  palette: string | null;
  customColors: CustomColors | null;
  timeZone: string;
  country: string | null;
  trustServiceProvider: boolean;
  reportWeekday: number;
  reportDueAt: null;
  queryTokenAllowed: boolean;
  auditRetentionDays: number | null;
  deletedAt: Date | null;
  restoredAt: Date;
  logoBytes: number;
}

/** An organization that is locked by the transaction. */
export type HeldOrganization = RowOf<'organization'>;

const hold = statement<{ id: number }>()((p) =>
  db
    .selectFrom('organization')
    .select(selectAll('organization'))
    .where('id', '=', p('id'))
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
);

/**
 * Locks an organization for the rest of the transaction: its row, its members and its owners change one at a time.
 * Reading does not wait. Throws NOT_FOUND, and PRECONDITION_FAILED for another version.
 */
export async function holdOrganization(tx: Queryable, id: number, version?: number | null): Promise<HeldOrganization> {
  const held = await hold.first(tx, { id });
  if (held === undefined) throw notFound();
  if (version != null && version !== held.version) throw preconditionFailed();
  return held;
}

/** Writes what is given and increments the version. The transaction has locked the organization. */
export async function writeOrganization(
  tx: Queryable,
  id: number,
  values: Partial<OrganizationValues>,
  now: Date,
): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined) as [Field, unknown][];
  const sent = given.map(([field, value]) => [
    field,
    JSON_FIELDS.has(field) && value !== null ? JSON.stringify(value) : value,
  ]);
  await write(given.map(([field]) => field)).all(tx, { ...Object.fromEntries(sent), id, now });
}

type Field = keyof OrganizationValues;

type Written = Record<Field, string> & { id: number; now: Date };

const write = statementPerList<Field, Written>()((p, fields) =>
  db
    .updateTable('organization')
    .set(assign('organization', p, fields) as object)
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: p('now') }))
    .where('id', '=', p('id')),
);

const JSON_FIELDS: ReadonlySet<Field> = new Set(['complianceFrameworks', 'contacts', 'customColors']);
