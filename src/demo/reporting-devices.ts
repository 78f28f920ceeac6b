import type { Database } from '../database/database.js';
import type { DeviceReports } from '../services/devices/device-reports.service.js';
import { CLOUD_DEFENDERS, hourlyReports, THREAT_BLOCKERS, type ReportedKind, type Traffic } from './device-traffic.js';
import { readFixtures, timeOf } from './fixtures.js';

const HOUR = 60 * 60 * 1000;
/** Hours that a device makes up for when no gateway ran for longer. */
const REMEMBERED = 7 * 24;

/** Stores the reports of each kind. */
export interface ReportSinks {
  cloudDefenders: Pick<DeviceReports, 'take'>;
  threatBlockers: Pick<DeviceReports, 'take'>;
}

interface Device extends Record<string, unknown> {
  id: number;
  /** The time of its newest report. */
  newest: string | null;
}

/** The devices of the demo with `reporting` traffic: they report every hour, as real ones do. */
export class ReportingDevices {
  constructor(
    private readonly database: Database,
    private readonly sinks: ReportSinks,
    private readonly now: () => Date,
  ) {}

  /** Reports the hours that are over and not reported, and returns their number; harmless to run again at any time. */
  async report(): Promise<number> {
    let count = 0;
    for (const { entity, values } of readFixtures('devices.yaml')) {
      const traffic = values['traffic'] as Traffic | undefined;
      if (!traffic?.reporting) continue;
      const isEdge = entity === CLOUD_DEFENDERS.entity;
      const kind = isEdge ? CLOUD_DEFENDERS : THREAT_BLOCKERS;
      const sink = isEdge ? this.sinks.cloudDefenders : this.sinks.threatBlockers;
      count += await this.reportOf(values[kind.property], traffic, kind, sink);
    }
    return count;
  }

  /** A device that never reported was set up by a user under the same name, and stays silent. */
  private async reportOf(
    name: unknown,
    traffic: Traffic,
    kind: ReportedKind,
    sink: Pick<DeviceReports, 'take'>,
  ): Promise<number> {
    const end = timeOf('hour', this.now());
    const devices = await this.database.rows<Device>(
      `select d.id, (select max(c.datetime) from ${kind.table}_check c where c.device_id = d.id) as newest
         from ${kind.table} d join organization o on o.id = d.organization_id and o.deleted_at is null
        where d.${kind.column} = $1 and d.deleted_at is null`,
      [name],
    );
    let count = 0;
    for (const { id, newest } of devices) {
      if (newest === null) continue;
      const hours = Math.min(REMEMBERED, Math.floor((end.getTime() - Date.parse(newest)) / HOUR));
      if (hours < 1) continue;
      await sink.take(id, hourlyReports(kind, traffic, { end, hours }));
      count += hours;
    }
    return count;
  }
}
