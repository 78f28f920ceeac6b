import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import type { Selection } from '../vocabulary/selection.js';
import { SETTING_DEFAULTS } from '../vocabulary/setting-defaults.js';
import type { OrganizationChangeService, OrganizationKey } from './organization-changes.js';

export interface OrganizationSettings {
  /** IANA name. */
  timeZone: string;
  /** ISO weekday of the weekly report: 1 is Monday, 7 is Sunday. */
  reportWeekday: number;
  /** Whether a token may come as a query parameter (decisions §1). */
  queryTokenAllowed: boolean;
}

/** Absent stays as it is, null is the default. */
export type SettingsChange = OrganizationKey & {
  [Setting in keyof OrganizationSettings]?: OrganizationSettings[Setting] | null;
};

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

  /** Settings of each organization, deleted or not. Whether the caller may read them has been decided. */
  async ofOrganizations(ids: readonly number[]): Promise<Map<number, OrganizationSettings>> {
    const rows = await this.database.rows<OrganizationSettings & { id: number }>(
      `select id, time_zone as "timeZone", report_weekday as "reportWeekday", query_token_allowed as "queryTokenAllowed"
         from organization where id = any($1)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Answers the organization, with its settings where they are asked for: reading them is not decided anew, since a
   * token may be allowed to write only, or have locked itself out just now. Throws NOT_FOUND, FORBIDDEN, CONFLICT.
   */
  async update(caller: Caller, change: SettingsChange, asked: Selection): Promise<object> {
    const { id, version, timeZone, reportWeekday, queryTokenAllowed } = change;
    const values = {
      ...(timeZone !== undefined && { timeZone: timeZone || SETTING_DEFAULTS.timeZone }),
      ...(reportWeekday !== undefined && { reportWeekday: reportWeekday ?? SETTING_DEFAULTS.reportWeekday }),
      ...(queryTokenAllowed !== undefined && {
        queryTokenAllowed: queryTokenAllowed ?? SETTING_DEFAULTS.queryTokenAllowed,
      }),
    };
    const written = { id, version: version ?? null, values };
    const organization = await this.changes.apply(caller, 'MANAGE_SETTINGS', written, asked);
    if (!asked.has('settings')) return organization;
    return { ...organization, settings: (await this.ofOrganizations([id])).get(id) };
  }
}
