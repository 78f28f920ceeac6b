import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import type { CustomColors } from '../entities/organization.js';
import { BRANDING_DEFAULTS } from '../vocabulary/branding-defaults.js';
import { darkened } from '../vocabulary/colors.js';
import type { Selection } from '../vocabulary/selection.js';
import type { OrganizationChangeService, OrganizationKey } from './organization-changes.js';

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

/** How much of each channel is left under the pointer and in the dark shade: what the default values have (decisions §10). */
const HOVER = 0.86;
const DARK = 0.54;

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

  /** Stored branding of each organization, deleted or not, or the default values (specification 4.9). */
  async ofOrganizations(ids: readonly number[]): Promise<Map<number, Branding>> {
    const rows = await this.database.rows<{ id: number; palette: string | null; customColors: CustomColors | null }>(
      'select id, palette, custom_colors as "customColors" from organization where id = any($1)',
      [ids],
    );
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
   * Answers the organization, with its branding where it is asked for: reading it is not decided anew, since a token may
   * be allowed to write only. Throws NOT_FOUND, FORBIDDEN, CONFLICT.
   */
  async update(caller: Caller, change: BrandingChange, asked: Selection): Promise<object> {
    const { id, version, palette, customColors } = change;
    const values = {
      ...(palette !== undefined && { palette: palette || null }),
      ...(customColors !== undefined && { customColors: customColors && completed(customColors) }),
    };
    const written = { id, version: version ?? null, values };
    const organization = await this.changes.apply(caller, 'MANAGE_BRANDING', written, asked);
    if (!asked.has('branding')) return organization;
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
