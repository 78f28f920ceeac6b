import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../auth/caller.js';
import type { Privilege } from '../../auth/roles.js';
import { darkened } from '../../common/formats.js';
import { visibleText } from '../../common/visible-text.js';
import type { Selection } from '../../common/selection.js';
import { selectSome, type RowOf } from '../../database/columns.js';
import { db, statement, type Statement } from '../../database/sql.js';
import type { CustomColors } from '../../entities/organizations.js';
import type { Foundation } from '../foundation.js';
import { SETTING_DEFAULTS, BRANDING_DEFAULTS } from '../../values/enums.js';
import type { OrganizationUpdateService, OrganizationKey, OrganizationValues } from './organization-update.service.js';

/** Columns of an organization that are read and changed as a separate record. */
interface PartSpec<Row, Part, Change> {
  /** Its property of the organization. */
  field: string;
  rows: Statement<{ ids: readonly number[] }, Row & { id: number }>;
  /** As it is shown. */
  shown(row: Row): Part;
  mayRead: Privilege;
  mayUpdate: Privilege;
  /** Values whose change requires another privilege. */
  guarded?: { values: readonly (keyof Row & keyof OrganizationValues)[]; mayUpdate: Privilege };
  valuesOf(change: Change): Partial<OrganizationValues>;
}

export class OrganizationPart<Row, Part, Change extends OrganizationKey> {
  constructor(
    private readonly spec: PartSpec<Row, Part, Change>,
    private readonly deps: Pick<Foundation, 'database' | 'access'>,
    private readonly changes: OrganizationUpdateService,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN. */
  async authorizeRead(caller: Caller, id: number): Promise<void> {
    await this.deps.access.authorize(caller, this.spec.mayRead, id);
  }

  /** The part of each organization, deleted or not. The caller was authorized. */
  async ofOrganizations(ids: readonly number[]): Promise<Map<number, Part>> {
    const rows = await this.spec.rows.all(this.deps.database, { ids });
    return new Map(rows.map((row) => [row.id, this.spec.shown(row)]));
  }

  /**
   * Returns the organization, with this part of it if selected: reading is not authorized again, because the token may be
   * write-only or have lost its access by this change. Throws NOT_FOUND, FORBIDDEN, CONFLICT.
   */
  async update(caller: Caller, change: Change, selection: Selection): Promise<object> {
    const { field, valuesOf } = this.spec;
    const { id, version = null } = change;
    const { values, privilege } = await this.judged(id, valuesOf(change));
    const organization = await this.changes.apply(caller, privilege, { id, version, values }, selection);
    if (!selection.has(field)) return organization;
    return { ...organization, [field]: (await this.ofOrganizations([id])).get(id) };
  }

  /** Values to write, and the required privilege: a guarded value that is sent back unchanged is not written. */
  private async judged(
    id: number,
    values: Partial<OrganizationValues>,
  ): Promise<{ values: Partial<OrganizationValues>; privilege: Privilege }> {
    const { rows, mayUpdate, guarded } = this.spec;
    const given = guarded?.values.filter((name) => values[name] !== undefined) ?? [];
    if (guarded === undefined || given.length === 0) return { values, privilege: mayUpdate };
    const [stored] = await rows.all(this.deps.database, { ids: [id] });
    const same = given.filter((name) => stored !== undefined && isDeepStrictEqual(values[name], stored[name]));
    const written = Object.fromEntries(Object.entries(values).filter(([name]) => !same.some((each) => each === name)));
    return { values: written, privilege: same.length === given.length ? mayUpdate : guarded.mayUpdate };
  }
}

const rowsOf = <Column extends keyof RowOf<'organization'>>(...columns: Column[]) =>
  statement<{ ids: readonly number[] }>()((p) =>
    db
      .selectFrom('organization')
      .select(selectSome('organization', 'organization', ['id', ...columns]))
      .where('id', '=', ({ fn }) => fn.any(p('ids')))
      .$castTo<Pick<RowOf<'organization'>, Column | 'id'>>(),
  );

const SETTINGS = Object.keys(SETTING_DEFAULTS) as (keyof typeof SETTING_DEFAULTS)[];

type Settings = Pick<RowOf<'organization'>, (typeof SETTINGS)[number]>;

/** Absent is unchanged; null and the empty text are the default. */
type SettingsChange = OrganizationKey & { [Setting in keyof Settings]?: Settings[Setting] | null };

/** Settings of an organization. All members may read when its weeks begin. */
export const SETTINGS_PART: PartSpec<Settings, Settings, SettingsChange> = {
  field: 'settings',
  rows: rowsOf(...SETTINGS),
  shown: (row) => row,
  mayRead: 'READ_ORGANIZATION',
  mayUpdate: 'MANAGE_SETTINGS',
  guarded: { values: ['auditRetentionDays', 'auditWitnessEmail'], mayUpdate: 'SET_AUDIT_RETENTION' },
  valuesOf(change) {
    const given = SETTINGS.filter((setting) => change[setting] !== undefined);
    const isDefault = (value: unknown) => value === null || value === '';
    return Object.fromEntries(
      given.map((name) => [name, isDefault(change[name]) ? SETTING_DEFAULTS[name] : change[name]]),
    );
  },
};

interface Branding {
  palette: string;
  customColors: CustomColors;
}

/** Validated colours; missing ones are derived from the primary one. */
interface ChosenColors {
  primary: string;
  primaryHover?: string | null;
  primaryDark?: string | null;
}

interface BrandingChange extends OrganizationKey {
  /** Absent is unchanged, null and the empty text are the default; for colours, only null is. */
  palette?: string | null;
  customColors?: ChosenColors | null;
}

/** Branding of organizations (specification 2.10 and 4.9): the stored values, or the defaults. */
export const BRANDING_PART: PartSpec<Pick<RowOf<'organization'>, keyof Branding>, Branding, BrandingChange> = {
  field: 'branding',
  rows: rowsOf('palette', 'customColors'),
  shown: ({ palette, customColors }) => ({
    palette: palette ?? BRANDING_DEFAULTS.palette,
    customColors: customColors ?? BRANDING_DEFAULTS.customColors,
  }),
  mayRead: 'READ_BRANDING',
  mayUpdate: 'MANAGE_BRANDING',
  valuesOf: ({ palette, customColors }) => ({
    ...(palette !== undefined && { palette: unlessDefaultPalette(visibleText(palette ?? '').trim()) }),
    ...(customColors !== undefined && { customColors: customColors && unlessDefault(completed(customColors)) }),
  }),
};

/** Factors of each channel for the hover and dark shades, as in the default values. */
const HOVER = 0.86;
const DARK = 0.54;

function unlessDefaultPalette(palette: string): string | null {
  return palette === BRANDING_DEFAULTS.palette ? null : palette || null;
}

/** The default is stored as null, so that it may be sent back. */
function unlessDefault(colors: CustomColors): CustomColors | null {
  return isDeepStrictEqual(colors, { ...BRANDING_DEFAULTS.customColors }) ? null : colors;
}

function completed({ primary, primaryHover, primaryDark }: ChosenColors): CustomColors {
  return {
    primary: primary.toUpperCase(),
    primaryHover: primaryHover?.toUpperCase() ?? darkened(primary, HOVER),
    primaryDark: primaryDark?.toUpperCase() ?? darkened(primary, DARK),
  };
}
