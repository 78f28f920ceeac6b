import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { darkened } from '../../common/formats.js';
import type { Selection } from '../../common/selection.js';
import { allColumns, type RowOf } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import type { CustomColors } from '../../entities/organizations.js';
import { SETTING_DEFAULTS, BRANDING_DEFAULTS } from '../../values/enums.js';
import type { OrganizationChangeService, OrganizationKey } from './organization-update.service.js';

const SETTINGS = Object.keys(SETTING_DEFAULTS) as (keyof typeof SETTING_DEFAULTS)[];

export type OrganizationSettings = Pick<RowOf<'organization'>, (typeof SETTINGS)[number]>;

/** Absent stays as it is; null and the empty text are the default. */
export type SettingsChange = OrganizationKey & {
  [Setting in keyof OrganizationSettings]?: OrganizationSettings[Setting] | null;
};

const settings = statement<{ ids: readonly number[] }>()((p) => {
  const columns = allColumns('organization');
  return db
    .selectFrom('organization')
    .select(['id', ...SETTINGS.map((setting) => columns[setting].as(setting))])
    .where('id', '=', ({ fn }) => fn.any(p('ids')))
    .$castTo<OrganizationSettings & { id: number }>();
});

/** What an organization decides for itself. */
export class OrganizationSettingsService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly changes: OrganizationChangeService,
  ) {}

  /** Every member may know when its weeks begin. */
  async authorizeRead(caller: Caller, id: number): Promise<void> {
    await this.access.authorize(caller, 'READ_ORGANIZATION', id);
  }

  /** Whether `update` would accept the caller. */
  mayUpdate(caller: Caller, id: number): Promise<boolean> {
    return this.changes.mayApply(caller, 'MANAGE_SETTINGS', id);
  }

  /** Settings of each organization, deleted or not. Whether the caller may read them has been decided. */
  async ofOrganizations(ids: readonly number[]): Promise<Map<number, OrganizationSettings>> {
    const rows = await settings.all(this.database, { ids });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Returns the organization, with its settings if selected: reading them is not authorized anew, since the token may
   * be write-only or have been locked out by this change. Throws NOT_FOUND, FORBIDDEN, CONFLICT.
   */
  async update(caller: Caller, change: SettingsChange, selection: Selection): Promise<object> {
    const { id, version } = change;
    const given = SETTINGS.filter((setting) => change[setting] !== undefined);
    const values = Object.fromEntries(
      given.map((setting) => {
        const value = change[setting];
        return [setting, value === null || value === '' ? SETTING_DEFAULTS[setting] : value];
      }),
    ) as Partial<OrganizationSettings>;
    const written = { id, version: version ?? null, values };
    const privilege = change.auditRetentionDays === undefined ? 'MANAGE_SETTINGS' : 'SET_AUDIT_RETENTION';
    const organization = await this.changes.apply(caller, privilege, written, selection);
    if (!selection.has('settings')) return organization;
    return { ...organization, settings: (await this.ofOrganizations([id])).get(id) };
  }
}

export interface Branding {
  palette: string;
  customColors: CustomColors;
}

/** Colours that have passed their rules; what is not given is derived from the primary one. */
export interface ChosenColors {
  primary: string;
  primaryHover?: string | null;
  primaryDark?: string | null;
}

export interface BrandingChange extends OrganizationKey {
  /** Absent stays as it is, null and the empty text are the default; of the colours, null is. */
  palette?: string | null;
  customColors?: ChosenColors | null;
}

/** How much of each channel is left under the pointer and in the dark shade: what the default values have. */
const HOVER = 0.86;
const DARK = 0.54;

const brandings = statement<{ ids: readonly number[] }>()((p) =>
  db
    .selectFrom('organization')
    .select(['id', 'palette', 'custom_colors as customColors'])
    .where('id', '=', ({ fn }) => fn.any(p('ids'))),
);

/** How organizations look (specification 2.10 and 4.9). */
export class BrandingService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly changes: OrganizationChangeService,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not see how the organization looks. */
  async authorizeRead(caller: Caller, id: number): Promise<void> {
    await this.access.authorize(caller, 'READ_BRANDING', id);
  }

  /** Whether `update` would accept the caller. */
  mayUpdate(caller: Caller, id: number): Promise<boolean> {
    return this.changes.mayApply(caller, 'MANAGE_BRANDING', id);
  }

  /** Stored branding of each organization, deleted or not, or the default values (specification 4.9). */
  async ofOrganizations(ids: readonly number[]): Promise<Map<number, Branding>> {
    const rows = await brandings.all(this.database, { ids });
    return new Map(
      rows.map(({ id, palette, customColors }) => [
        id,
        {
          palette: palette ?? BRANDING_DEFAULTS.palette,
          customColors: customColors ?? BRANDING_DEFAULTS.customColors,
        },
      ]),
    );
  }

  /**
   * Returns the organization, with its branding if selected: reading it is not authorized anew, since the token may be
   * write-only. Throws NOT_FOUND, FORBIDDEN, CONFLICT.
   */
  async update(caller: Caller, change: BrandingChange, selection: Selection): Promise<object> {
    const { id, version, palette, customColors } = change;
    const values = {
      ...(palette !== undefined && { palette: palette || null }),
      ...(customColors !== undefined && { customColors: customColors && completed(customColors) }),
    };
    const written = { id, version: version ?? null, values };
    const organization = await this.changes.apply(caller, 'MANAGE_BRANDING', written, selection);
    if (!selection.has('branding')) return organization;
    return { ...organization, branding: (await this.ofOrganizations([id])).get(id) };
  }
}

function completed({ primary, primaryHover, primaryDark }: ChosenColors): CustomColors {
  return {
    primary: primary.toUpperCase(),
    primaryHover: primaryHover?.toUpperCase() ?? darkened(primary, HOVER),
    primaryDark: primaryDark?.toUpperCase() ?? darkened(primary, DARK),
  };
}
