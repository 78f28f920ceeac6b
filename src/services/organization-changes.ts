import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Privilege } from '../access/roles.js';
import type { Database, Queryable } from '../database/database.js';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import type { Selection } from '../vocabulary/selection.js';
import { logoContent, withLogo } from './logos.js';
import type { OrganizationReader } from './organization-reader.js';
import { holdOrganization, writeOrganization, type OrganizationValues } from './organization-row.js';
import { authorizeNow } from './ownership.js';
import type { StoredContent } from './stored-content.js';

/** Which organization is changed. */
export interface OrganizationKey {
  id: number;
  /** The version that the caller saw; whichever it is when null or absent. */
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

/** The one way to change an organization's own row, whichever part of it (decisions §5). */
export class OrganizationChangeService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly organizations: OrganizationReader,
    private readonly settings: OrganizationChangeSettings,
  ) {}

  /**
   * Writes the values and answers the organization as it is then. Throws NOT_FOUND, FORBIDDEN, CONFLICT when somebody
   * else was faster, and of a logo what `stageLogo` throws.
   */
  async apply(caller: Caller, privilege: Privilege, change: OrganizationChange, asked: Selection): Promise<object> {
    const { id, logoFile, values } = change;
    await this.access.authorize(caller, privilege, id);
    const write = async (tx: Queryable, written: OrganizationChange) => {
      await authorizeNow(tx, caller, privilege, id);
      return this.write(tx, written, asked);
    };
    const { record, replaced } = logoFile
      ? await withLogo(this.settings.content, logoFile, async (tx, logo) => {
          const written = await write(tx, { ...change, values: { ...values, ...logo } });
          await this.settings.content.refuseExcess(tx, id);
          return written;
        })
      : await this.database.transaction((tx) => write(tx, change));
    if (replaced !== undefined) await this.letGo(replaced);
    return record;
  }

  private async write(tx: Queryable, { id, version, values }: OrganizationChange, asked: Selection) {
    const held = await holdOrganization(tx, id, version);
    const { logo, ...others } = values;
    const replaced = logo === undefined || this.isShown(held.logo, logo) ? undefined : held.logo;
    // A logo elsewhere has no bytes here.
    const written = replaced === undefined ? others : { logoBytes: 0, ...values };
    await writeOrganization(tx, id, written, this.settings.now());
    return { record: await this.organizations.byId(tx, id, asked), replaced };
  }

  /**
   * Whether this is the stored logo as it was read: who sends a whole record back has not changed it. The address of
   * another organization's logo is one like any elsewhere.
   */
  private isShown(stored: string, logo: string): boolean {
    return logoContent(stored) !== undefined && logo === this.settings.publicUrl + stored;
  }

  /** The logo that was replaced may have been nobody else's. */
  private async letGo(logo: string): Promise<void> {
    const content = logoContent(logo);
    if (content !== undefined) await this.settings.content.letGo(content);
  }
}
