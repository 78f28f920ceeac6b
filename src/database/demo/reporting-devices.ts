import type { DeviceReports } from '../../services/device-reports.js';
import type { Database } from '../database.js';
import { REPORTING_CLOUD_DEFENDERS, REPORTING_THREAT_BLOCKERS, type Reporting } from './device-plans.js';
import { hourlyReports, REPORTED, type ReportedKind } from './device-reports.js';
import { hourOf } from './timeline.js';

const HOUR = 60 * 60 * 1000;
/** Hours that a device makes up for when nothing ran for longer. */
const REMEMBERED = 7 * 24;

/** Who takes the reports of each kind. */
export interface ReportTakers {
  cloudDefenders: Pick<DeviceReports, 'take'>;
  threatBlockers: Pick<DeviceReports, 'take'>;
}

interface Device extends Record<string, unknown> {
  id: number;
  /** When its newest report is of. */
  newest: string | null;
}

/**
 * The devices of the demo, as far as they are not silent on purpose: they report every hour as real ones do, so that
 * whoever comes back the next day finds them at work. A device that never reported is not one of them.
 */
export class ReportingDevices {
  constructor(
    private readonly database: Database,
    private readonly takers: ReportTakers,
    private readonly now: () => Date,
  ) {}

  /** Reports the hours that are over and not reported; harmless to run again at any time. Answers how many reports. */
  async report(): Promise<number> {
    const { cloudDefenders, threatBlockers } = this.takers;
    let count = 0;
    for (const device of REPORTING_CLOUD_DEFENDERS)
      count += await this.reportOf(device, REPORTED.cloudDefender, cloudDefenders);
    for (const device of REPORTING_THREAT_BLOCKERS)
      count += await this.reportOf(device, REPORTED.threatBlocker, threatBlockers);
    return count;
  }

  private async reportOf(
    { name, faring }: Reporting,
    kind: ReportedKind<string>,
    taker: Pick<DeviceReports, 'take'>,
  ): Promise<number> {
    const end = hourOf(this.now());
    const devices = await this.database.rows<Device>(
      `select d.id, (select max(c.datetime) from ${kind.table}_check c where c.device_id = d.id) as newest
         from ${kind.table} d join organization o on o.id = d.organization_id and o.deleted_at is null
        where d.${kind.name} = $1 and d.deleted_at is null`,
      [name],
    );
    let count = 0;
    for (const { id, newest } of devices) {
      if (newest === null) continue;
      const hours = Math.min(REMEMBERED, Math.floor((end.getTime() - Date.parse(newest)) / HOUR));
      if (hours < 1) continue;
      await taker.take(id, hourlyReports(kind, faring, { end, hours }));
      count += hours;
    }
    return count;
  }
}
