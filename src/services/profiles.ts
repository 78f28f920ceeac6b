import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { notFound } from '../errors.js';
import type { Selection } from '../vocabulary/selection.js';
import { visibleText } from '../vocabulary/visible-text.js';
import type { OrganizationReader } from './organization-reader.js';
import type { ViewerService } from './viewer.js';

/** What is absent stays as it is. */
export interface ProfileChange {
  firstName?: string | null;
  lastName?: string | null;
}

/** Alert preferences of one member (specification 2.8). */
export interface Alerts {
  atb: boolean;
  cloudDefender: boolean;
  vCiso: boolean;
}

export interface AlertsChange extends Partial<{ [Product in keyof Alerts]: boolean | null }> {
  organizationId: number;
}

const ALERTS = `alert_atb as atb, alert_cloud_defender as "cloudDefender", alert_v_ciso as "vCiso"`;

/** What each user decides for itself: its names, and which alerts it wants from each organization. */
export class ProfileService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly viewers: ViewerService,
    private readonly organizations: OrganizationReader,
  ) {}

  /** Changes the caller's own names: absent or null stays as it is. Throws FORBIDDEN without the scope `write`. */
  async update(caller: Caller, { firstName, lastName }: ProfileChange, asked: Selection): Promise<object> {
    const { userId } = this.access.authorizeSelf(caller, 'write');
    await this.database.rows(
      'update app_user set first_name = coalesce($2, first_name), last_name = coalesce($3, last_name) where id = $1',
      [userId, ...[firstName, lastName].map((name) => (name == null ? null : visibleText(name).trim()))],
    );
    return this.viewers.user(userId, asked);
  }

  /** Throws NOT_FOUND or FORBIDDEN for who may not read the organization. */
  async authorizeAlerts(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
  }

  /** What the caller wants from each of these organizations. */
  async alerts(caller: Caller, organizationIds: readonly number[]): Promise<Map<number, Alerts>> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    const rows = await this.database.rows<Alerts & { id: number }>(
      `select organization_id as id, ${ALERTS} from membership where user_id = $1 and organization_id = any($2)`,
      [userId, organizationIds],
    );
    return new Map(rows.map(({ id, ...alerts }) => [id, alerts]));
  }

  /** The preferences, and their organization if it is asked for. Throws NOT_FOUND where the caller is no member. */
  async updateAlerts(caller: Caller, change: AlertsChange, asked: Selection) {
    const alerts = await this.writeAlerts(caller, change);
    if (!asked.has('organization')) return { alerts };
    const { organizationId } = change;
    return {
      alerts,
      organization: await this.organizations.byId(this.database, organizationId, asked.of('organization')),
    };
  }

  private async writeAlerts(
    caller: Caller,
    { organizationId, atb, cloudDefender, vCiso }: AlertsChange,
  ): Promise<Alerts> {
    await this.access.authorize(caller, 'SET_OWN_ALERTS', organizationId);
    const { userId } = this.access.authorizeSelf(caller, 'write');
    const [row] = await this.database.rows<Alerts>(
      `update membership set alert_atb = coalesce($3, alert_atb), alert_cloud_defender = coalesce($4, alert_cloud_defender),
              alert_v_ciso = coalesce($5, alert_v_ciso)
        where organization_id = $1 and user_id = $2 returning ${ALERTS}`,
      [organizationId, userId, atb ?? null, cloudDefender ?? null, vCiso ?? null],
    );
    if (row === undefined) throw notFound();
    return row;
  }
}
