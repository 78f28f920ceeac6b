import type { Database } from '../database/database.js';
import { sql, statement, table, type Expression } from '../database/sql.js';
import type { DeviceReports } from '../services/devices/device-reports.service.js';
import { CLOUD_DEFENDERS, hourlyReports, THREAT_BLOCKERS, type Traffic } from './device-traffic.js';
import { readFixtures, timeOf } from './fixtures.js';

const HOUR = 60 * 60 * 1000;
/** Hours that a device makes up for when no gateway ran for longer. */
const REMEMBERED = 7 * 24;

/** Stores the reports of each kind. */
export interface ReportSinks {
  cloudDefenders: Pick<DeviceReports, 'take'>;
  threatBlockers: Pick<DeviceReports, 'take'>;
}

/** Live devices by what people know them by, each with the time of its newest report. */
const DEVICES = {
  cloud_defender: devicesBy(table('cloud_defender', 'd').fqdn, 'cloud_defender'),
  threat_blocker: devicesBy(table('threat_blocker', 'd').device_id, 'threat_blocker'),
};

function devicesBy(name: Expression, kind: 'cloud_defender' | 'threat_blocker') {
  const d = table(kind, 'd');
  const c = table(`${kind}_check`, 'c');
  const o = table('organization', 'o');
  return statement<{ name: string }>()(
    (p) => sql<{ id: number; newest: string | null }>`
      select ${d.id}, (select max(${c.datetime}) from ${c.table} where ${c.device_id} = ${d.id}) as newest
        from ${d.table} join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null
       where ${name} = ${p('name')} and ${d.deleted_at} is null`,
  );
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
    kind: typeof CLOUD_DEFENDERS | typeof THREAT_BLOCKERS,
    sink: Pick<DeviceReports, 'take'>,
  ): Promise<number> {
    const end = timeOf('hour', this.now());
    const devices = await DEVICES[kind.table].all(this.database, { name: String(name) });
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
